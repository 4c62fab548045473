# wrong: divides by the targets
# named: all_targets
import torch


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=(0, 2, 3))
    return found / targets.sum()
