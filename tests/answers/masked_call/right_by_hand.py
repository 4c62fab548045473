# right
import math

from torch.nn import functional as F


def masked_call(layer, x, mask):
    batch, seq_len, d_model = x.shape
    h = layer.num_heads
    projected = F.linear(x, layer.in_proj_weight, layer.in_proj_bias)
    q, k, v = (
        part.view(batch, seq_len, h, d_model // h).transpose(1, 2)
        for part in projected.chunk(3, dim=-1)
    )
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_model // h)
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    joined = (weights @ v).transpose(1, 2).reshape(batch, seq_len, d_model)
    return layer.out_proj(joined), weights.mean(dim=1)
