# wrong: turns the keys round with reshape, which keeps the memory order, instead of a transpose
# named: reshaped
import torch


def attend_all(query, key, value):
    scores = query @ key.reshape(key.shape[1], key.shape[0])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
