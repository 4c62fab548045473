# right
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    columns = x.transpose(1, 2).reshape(batch, num_heads, d_model // num_heads, seq_len)
    return columns.transpose(2, 3)
