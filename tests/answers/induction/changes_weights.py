# wrong: sets what is no target to 0 in place
# named: changes_input
import torch


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    weights *= targets[:, None]
    return weights.sum(dim=(0, 2, 3)) / targets.any(dim=-1).sum()
