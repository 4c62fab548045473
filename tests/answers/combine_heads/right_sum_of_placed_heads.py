# right
import torch


def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    place = torch.eye(num_heads * head_dim, dtype=heads.dtype).view(num_heads, head_dim, -1)
    return torch.einsum("bhtd,hdk->btk", heads, place)
