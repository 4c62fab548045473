# wrong: cuts the gradient
# named: detached
def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.detach().transpose(1, 2).reshape(batch, seq_len, num_heads * head_dim)
