# wrong: multiplies the scores by the mask
# named: filled_with_zero
import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores * mask, dim=-1)
