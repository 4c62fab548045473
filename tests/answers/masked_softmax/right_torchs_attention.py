# right
import torch
from torch.nn import functional as F


def masked_softmax(scores, mask):
    """With the identity for keys and values, the output of attention is its weights."""
    n = scores.shape[-1]
    eye = torch.eye(n, dtype=scores.dtype).expand(*scores.shape[:-2], n, n)
    return F.scaled_dot_product_attention(scores, eye, eye, attn_mask=mask, scale=1.0)
