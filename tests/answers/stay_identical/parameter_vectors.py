# right
import torch
from torch import nn


def stay_identical(heads, out_proj, x):
    n = len(heads)
    rows = [
        torch.cat((nn.utils.parameters_to_vector(h.parameters()), block.flatten()))
        for h, block in zip(heads, out_proj.weight.unflatten(1, (n, -1)).unbind(1))
    ]
    table = torch.stack(rows).detach()
    return bool((table - table[:1]).abs().max() < 1e-6)
