# wrong: gives every num_heads-th feature to a head
# named: interleaved
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, d_model // num_heads, num_heads).permute(0, 3, 1, 2)
