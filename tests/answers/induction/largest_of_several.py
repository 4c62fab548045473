# wrong: the largest where there are several
# named: largest_of_targets
import torch


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    found = (weights * targets[:, None]).amax(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()
