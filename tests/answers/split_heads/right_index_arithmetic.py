# right
import torch


def split_heads(x, num_heads):
    head_dim = x.shape[-1] // num_heads
    features = torch.arange(x.shape[-1]).view(num_heads, head_dim)
    return x[:, :, features].permute(0, 2, 1, 3)
