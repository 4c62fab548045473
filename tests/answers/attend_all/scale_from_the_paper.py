# wrong: divides by the square root of d, which is not part of this lesson
# named: scaled

import math

import torch


def attend_all(query, key, value):
    scores = query @ key.T / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
