# wrong: transposes heads and features before the reshape
# named: wrong_axes
def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose(1, 3).reshape(batch, seq_len, num_heads * head_dim)
