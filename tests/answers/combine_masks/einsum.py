# right
import torch


def combine_masks(padding, causal):
    keys = padding[:, 0, 0].float()
    return torch.einsum("bk,qk->bqk", keys, causal.float()).bool().unsqueeze(1)
