# wrong: index -1 lets the first query look at the last key
# named: wraps_round
import torch


def previous_token(weights):
    i = torch.arange(weights.shape[-1])
    return weights[:, :, i, i - 1].mean(dim=(0, 2))
