# right
import torch


def combine_masks(padding, causal):
    return torch.where(padding, causal, torch.zeros_like(causal))
