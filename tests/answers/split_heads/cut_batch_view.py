# wrong: one reshape to the target shape, without a transpose, cutting the sequence
# named: heads_before_time


def split_heads(x, num_heads):
    return x.reshape(x.shape[0], num_heads, -1, x.shape[2] // num_heads)
