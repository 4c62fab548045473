# wrong: takes the time for the first axis, as in old PyTorch code
# named: time_first
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    heads = x.reshape(seq_len, batch * num_heads, d_model // num_heads).transpose(0, 1)
    return heads.reshape(batch, num_heads, seq_len, d_model // num_heads)
