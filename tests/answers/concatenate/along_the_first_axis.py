# wrong: cat without dim joins along the first axis

import torch


def concatenate(heads):
    return torch.cat(list(heads))
