# wrong: transposes time and features before the reshape
# named: tokens_with_features
def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose(2, 3).reshape(batch, seq_len, num_heads * head_dim)
