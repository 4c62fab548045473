# right
import torch


def combine_masks(padding, causal):
    return torch.minimum(padding.int(), causal.int()).bool()
