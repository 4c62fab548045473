# right

import math

import torch


def weights_at(scores, temperature):
    if temperature > 0:
        return torch.softmax(scores / temperature, dim=-1)
    is_best = scores == scores.amax(dim=-1, keepdim=True)
    flat = torch.zeros_like(scores).masked_fill(~is_best, -math.inf)
    return torch.softmax(flat, dim=-1)
