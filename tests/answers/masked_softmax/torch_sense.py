# wrong: takes True for blocked
# named: inverted
import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
