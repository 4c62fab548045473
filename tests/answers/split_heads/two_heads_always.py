# wrong: two heads, whatever num_heads says
# named: two_heads
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, 2, d_model // 2).transpose(1, 2)
