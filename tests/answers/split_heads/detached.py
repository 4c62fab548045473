# wrong: cuts the gradient
# named: detached
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    x = x.detach()
    return x.view(batch, seq_len, num_heads, d_model // num_heads).transpose(1, 2)
