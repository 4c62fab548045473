# wrong: swaps axis 0 and 1, which brings head and token together only without a batch

import torch


def concatenate(heads):
    return (
        heads.transpose(0, 1).flatten(-2)
        if heads.dim() == 3
        else torch.cat(list(heads.transpose(0, 1)), dim=-1)
    )
