# wrong: takes num_heads for the features of one head
# named: sizes_exchanged
def split_heads(x, num_heads):
    batch, seq_len, _ = x.shape
    return x.view(batch, seq_len, -1, num_heads).transpose(1, 2)
