# wrong: squeezes, which drops every axis of length 1
# named: squeezed
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, num_heads, d_model // num_heads).transpose(1, 2).squeeze()
