# wrong: returns the output without the weights
# named: output_alone

import torch


def attend_all(query, key, value):
    return torch.softmax(query @ key.T, dim=-1) @ value
