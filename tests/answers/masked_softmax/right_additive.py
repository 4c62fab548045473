# right
import torch


def masked_softmax(scores, mask):
    bias = torch.zeros(mask.shape, dtype=scores.dtype)
    bias[~mask] = float("-inf")
    return torch.softmax(scores + bias, dim=-1)
