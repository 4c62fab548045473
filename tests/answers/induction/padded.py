# right
import torch.nn.functional as F


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = F.pad(equal.tril(-1), (1, -1))
    found = weights.masked_fill(~targets[:, None], 0.0).sum(dim=-1)
    counts = targets.any(dim=-1)
    return found.transpose(0, 1)[:, counts].mean(dim=1)
