# wrong: tril() with the query itself
# named: own_position_counts
import torch


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril()[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()
