# wrong: reshapes straight to the final shape
# named: not_transposed_back
def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.reshape(batch, seq_len, num_heads * head_dim)
