# wrong: cat without dim joins along the first axis
# named: along_the_first

import torch


def concatenate(heads):
    return torch.cat(list(heads))
