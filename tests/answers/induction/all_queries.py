# wrong: mean over all queries
# named: all_queries
import torch


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    return (weights * targets[:, None]).sum(dim=-1).mean(dim=(0, 2))
