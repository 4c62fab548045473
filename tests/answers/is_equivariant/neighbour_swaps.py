# right
import torch


def is_equivariant(layer, x):
    for start in range(6):
        z = x[torch.randperm(len(x))]
        y = layer(z)
        for i in range(len(x) - 1):
            order = list(range(len(x)))
            order[i], order[i + 1] = i + 1, i
            if not torch.allclose(layer(z[order]), y[order], atol=1e-5):
                return False
    return True
