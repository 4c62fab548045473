# wrong: divides by the number of targets instead of the number of queries
# named: all_targets
import torch


def induction(weights, tokens):
    equal = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    targets = torch.roll(equal, 1, dims=2)
    return (weights * targets[:, None]).sum(dim=(0, 2, 3)) / targets.sum()
