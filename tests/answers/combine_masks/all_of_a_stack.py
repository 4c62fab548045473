# right
import torch


def combine_masks(padding, causal):
    return torch.stack(torch.broadcast_tensors(padding, causal)).all(dim=0)
