# wrong: later equal tokens count as well (no tril)
# named: later_ones_too

import torch


def induction(weights, tokens):
    same = tokens[:, :, None] == tokens[:, None, :]
    same = same & ~torch.eye(tokens.shape[1], dtype=torch.bool)
    t = torch.zeros_like(same)
    t[:, :, 1:] = same[:, :, :-1]
    return (weights * t[:, None]).sum((0, 2, 3)) / t.any(-1).sum()
