# wrong: compares with the unshuffled output, which is invariance
# named: invariance

import torch


def is_equivariant(layer, x):
    order = torch.randperm(len(x))
    return torch.allclose(layer(x[order]), layer(x), atol=1e-5)
