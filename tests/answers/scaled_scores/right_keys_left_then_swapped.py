# right

import math

import torch


def scaled_scores(query, key):
    return torch.matmul(key / math.sqrt(key.shape[-1]), query.swapaxes(-1, -2)).swapaxes(-1, -2)
