# wrong: reshapes without moving the heads next to their features
# named: reshaped


def concatenate(heads):
    num_heads, *lead, length, head_dim = heads.shape
    return heads.reshape(*lead, length, num_heads * head_dim)
