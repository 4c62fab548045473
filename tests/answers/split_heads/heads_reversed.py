# wrong: the last block of features becomes head 0
# named: order_reversed
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    heads = x.view(batch, seq_len, num_heads, d_model // num_heads).transpose(1, 2)
    return heads.flip(1)
