# wrong: divides by the root of head_dim as well
# named: scaled
import math


def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    head_dim = d_model // num_heads
    return x.view(batch, seq_len, num_heads, head_dim).transpose(1, 2) / math.sqrt(head_dim)
