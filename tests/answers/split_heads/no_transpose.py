# wrong: cuts the features but leaves the heads behind the time
# named: no_transpose
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, num_heads, d_model // num_heads)
