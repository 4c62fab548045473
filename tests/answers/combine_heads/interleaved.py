# wrong: feature 0 of all heads first, then feature 1 of all heads
# named: interleaved
def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.permute(0, 2, 3, 1).reshape(batch, seq_len, num_heads * head_dim)
