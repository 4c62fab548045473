# wrong: takes off the largest score of all keys, blocked ones too
# named: renormalised_after
import torch


def masked_softmax(scores, mask):
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values) * mask
    return e / e.sum(dim=-1, keepdim=True)
