# wrong: the first text only
# named: first_text_only
import torch


def induction(weights, tokens):
    weights, tokens = weights[:1], tokens[:1]
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()
