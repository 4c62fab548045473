# wrong: returns the output without the weights

import torch


def attend_all(query, key, value):
    return torch.softmax(query @ key.T, dim=-1) @ value
