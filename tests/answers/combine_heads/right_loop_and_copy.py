# right
import torch


def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    joined = heads.new_zeros(batch, seq_len, num_heads * head_dim)
    for b in range(batch):
        for t in range(seq_len):
            joined[b, t] = torch.cat([heads[b, i, t] for i in range(num_heads)])
    return joined
