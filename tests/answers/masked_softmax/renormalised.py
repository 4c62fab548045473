# wrong: masks after the softmax and divides by the row sums
# named: renormalised_after
import torch


def masked_softmax(scores, mask):
    w = torch.softmax(scores, dim=-1) * mask
    return w / w.sum(dim=-1, keepdim=True)
