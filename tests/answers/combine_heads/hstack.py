# right
import torch


def combine_heads(heads):
    return torch.cat(heads.unbind(dim=1), dim=2)
