# wrong: views straight to the final shape without a transpose
# named: heads_before_time


def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, num_heads, T, D // num_heads)
