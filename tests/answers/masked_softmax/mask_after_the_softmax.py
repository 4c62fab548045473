# wrong: multiplies by the mask after the softmax
# named: masked_after
import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores, dim=-1) * mask
