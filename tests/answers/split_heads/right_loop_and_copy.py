# right
import torch


def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    head_dim = d_model // num_heads
    heads = torch.empty(batch, num_heads, seq_len, head_dim, dtype=x.dtype)
    for b in range(batch):
        for i in range(num_heads):
            heads[b, i] = x[b, :, i * head_dim : (i + 1) * head_dim]
    return heads
