# wrong: equal tokens later in the text too
# named: later_ones_too
import torch


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    equal = equal & ~torch.eye(tokens.shape[1], dtype=torch.bool)
    targets[:, :, 1:] = equal[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()
