# wrong: cuts the tokens in num_heads parts, not the features
# named: tokens_cut
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.reshape(batch, num_heads, seq_len // num_heads, d_model)
