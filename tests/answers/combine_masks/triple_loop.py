# right
import torch


def combine_masks(padding, causal):
    batch, length = padding.shape[0], causal.shape[0]
    mask = torch.zeros(batch, 1, length, length, dtype=torch.bool)
    for b in range(batch):
        for i in range(length):
            for j in range(length):
                mask[b, 0, i, j] = bool(padding[b, 0, 0, j]) and bool(causal[i, j])
    return mask
