# wrong: puts the heads in front of the batch
# named: heads_first
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, num_heads, d_model // num_heads).permute(2, 0, 1, 3)
