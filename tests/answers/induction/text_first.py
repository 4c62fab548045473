# wrong: a mean for each text first
# named: text_first
import torch


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=(2, 3))
    return (found / targets.any(dim=-1).sum(-1)[:, None]).mean(dim=0)
