# right
import torch


def relative_costs(functions, timer, rounds):
    def time_of(function):
        start = timer()
        function()
        return timer() - start

    [function() for function in functions]
    rows = [[time_of(function) for function in functions] for _ in range(rounds)]
    medians = torch.tensor(rows, dtype=torch.float64).median(dim=0).values
    return (medians / medians[0]).tolist()
