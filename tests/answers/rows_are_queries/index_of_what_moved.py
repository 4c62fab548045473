# right
import torch


def rows_are_queries(attend, x, memory):
    _, before = attend(x, memory)
    generator = torch.Generator().manual_seed(5)
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn(x.shape[1], generator=generator)
        where = ((attend(z, memory)[1] - before).abs() > 1e-5).nonzero()
        if len(where):
            return len(where[:, 0].unique()) == 1
    return False
