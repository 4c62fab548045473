# wrong: transposes first and reshapes to the final shape after
# named: transposed_too_early
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.transpose(1, 2).reshape(batch, num_heads, seq_len, d_model // num_heads)
