# wrong: returns (batch * heads, query_len, key_len), as nn.MultiheadAttention takes it


def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        return mask.repeat_interleave(heads, dim=0)
    return mask.expand(batch, heads, *mask.shape[-2:]).reshape(batch * heads, *mask.shape[-2:])
