# wrong: compares the heads' weights only, not the blocks of out_proj
# named: heads_only
import torch


def stay_identical(heads, out_proj, x):
    first = list(heads[0].parameters())
    return all(torch.allclose(a, b) for h in heads for a, b in zip(first, h.parameters()))
