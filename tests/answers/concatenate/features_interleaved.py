# wrong: the features of the heads alternate
# named: interleaved

import torch


def concatenate(heads):
    return torch.stack(list(heads), dim=-1).flatten(-2)
