# wrong: divides by all queries
# named: all_queries
import torch


def induction(weights, tokens):
    equal = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    targets = torch.roll(equal, 1, dims=2)
    return (weights * targets[:, None]).sum(-1).mean(dim=(0, 2))
