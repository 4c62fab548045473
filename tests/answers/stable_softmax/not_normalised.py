# wrong: subtracts the largest, takes exp and returns that
# named: not_normalised

import torch


def stable_softmax(scores):
    return torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
