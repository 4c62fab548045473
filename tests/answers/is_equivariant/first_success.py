# wrong: returns True at the first order that agrees
import torch


def is_equivariant(layer, x):
    for order in [
        torch.arange(len(x)).flip(0),
        torch.arange(len(x)).roll(1),
        torch.randperm(len(x)),
    ]:
        if torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5):
            return True
    return False
