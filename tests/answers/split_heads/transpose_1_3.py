# wrong: exchanges axes 1 and 3
# named: tokens_with_features
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, num_heads, d_model // num_heads).transpose(1, 3)
