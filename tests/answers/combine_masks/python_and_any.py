# wrong: `and` of whether anything is allowed at all
# named: causal_alone
import torch


def combine_masks(padding, causal):
    if padding.any() and causal.any():
        return causal.expand(padding.shape[0], 1, *causal.shape)
    return torch.zeros(padding.shape[0], 1, *causal.shape, dtype=torch.bool)
