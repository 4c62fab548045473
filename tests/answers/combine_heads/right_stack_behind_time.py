# right
import torch


def combine_heads(heads):
    return torch.stack(heads.unbind(1), dim=2).flatten(2)
