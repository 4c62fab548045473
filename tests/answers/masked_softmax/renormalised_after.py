# wrong: masks after the softmax and divides by the sums
# named: renormalised_after
import torch


def masked_softmax(scores, mask):
    weights = torch.softmax(scores, dim=-1) * mask
    return weights / weights.sum(dim=-1, keepdim=True)
