# wrong: the targets of the first text for all
# named: first_texts_targets
import torch


def induction(weights, tokens):
    equal = tokens[0][:, None] == tokens[0][None, :]
    targets = torch.zeros_like(equal)
    targets[:, 1:] = equal.tril(-1)[:, :-1]
    found = (weights * targets).sum(dim=-1)
    return found.sum(dim=(0, 2)) / (targets.any(dim=-1).sum() * len(tokens))
