# wrong: loses the batch in the reshape
# named: batch_lost
def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose(1, 2).reshape(-1, num_heads * head_dim)
