# wrong: shuffles the first three tokens and leaves the rest where they are
# named: some_stay

import torch


def is_equivariant(layer, x):
    y = layer(x)
    for _ in range(10):
        p = torch.cat([torch.randperm(3), torch.arange(3, len(x))])
        if not torch.allclose(layer(x[p]), y[p], atol=1e-5):
            return False
    return True
