# right

import torch


def masked_softmax(scores, mask):
    bias = torch.zeros_like(mask, dtype=scores.dtype).masked_fill(~mask, float("-inf"))
    return torch.nn.functional.softmax(scores + bias, -1)
