# wrong: each token may always see itself, padded or not
import torch


def combine_masks(padding, causal):
    return (padding & causal) | torch.eye(len(causal), dtype=torch.bool)
