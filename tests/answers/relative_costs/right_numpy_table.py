# right
import numpy as np


def relative_costs(functions, timer, rounds):
    for function in functions:
        function()
        function()
    table = np.zeros((rounds, len(functions)))
    for r in range(rounds):
        for i, function in enumerate(functions):
            begin = timer()
            function()
            end = timer()
            table[r, i] = end - begin
    medians = np.median(table, axis=0)
    return (medians / medians[0]).tolist()
