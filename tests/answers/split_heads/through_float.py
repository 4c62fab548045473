# wrong: turns every dtype into float32
# named: dtype
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.float().view(batch, seq_len, num_heads, d_model // num_heads).transpose(1, 2)
