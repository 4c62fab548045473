# wrong: removes the diagonal after the move, so the second A of A A has no target
# named: own_place_left_out
import torch


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal[:, :, :-1]
    targets = targets.tril(-1)
    on = (weights * targets[:, None]).sum(-1)
    return on.sum(dim=(0, 2)) / targets.any(-1).sum()
