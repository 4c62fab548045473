# wrong: turns the axes of the input itself
# named: changes_input
def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose_(1, 2).reshape(batch, seq_len, num_heads * head_dim)
