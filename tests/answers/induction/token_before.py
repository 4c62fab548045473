# wrong: moves the table to the left: the key before the earlier token
# named: token_before
import torch.nn.functional as F


def induction(weights, tokens):
    targets = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    targets = F.pad(targets[:, :, 1:], (0, 1))
    on = (weights * targets[:, None]).sum(-1)
    return on.sum(dim=(0, 2)) / targets.any(-1).sum()
