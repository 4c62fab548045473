# wrong: compares the outputs sorted, whichever token they belong to
# named: sorted_outputs

import torch


def is_equivariant(layer, x):
    order = torch.randperm(len(x))
    before, after = layer(x).sort(dim=0).values, layer(x[order]).sort(dim=0).values
    return torch.allclose(before, after, atol=1e-5)
