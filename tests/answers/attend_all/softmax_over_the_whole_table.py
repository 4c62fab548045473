# wrong: one softmax over all scores together, so only the whole table adds up to 1
# named: softmax_over_all

import torch


def attend_all(query, key, value):
    scores = query @ key.T
    weights = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)
    return weights @ value, weights
