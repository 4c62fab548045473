# wrong: the permute puts the head features before the tokens: (batch, heads, head_dim, seq_len)
# named: features_before_tokens


def split_heads(x, num_heads):
    b, t, d = x.shape
    return x.view(b, t, num_heads, d // num_heads).permute(0, 2, 3, 1)
