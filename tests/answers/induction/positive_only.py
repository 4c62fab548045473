# wrong: leaves out queries with a weight of 0
# named: queries_that_look_there
import torch


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / (found > 0).sum(dim=(0, 2))
