# wrong: builds its own causal mask instead of using the one that is given
# named: own_causal
import torch


def combine_masks(padding, causal):
    length = padding.shape[-1]
    return padding & torch.ones(length, length, dtype=torch.bool).tril()
