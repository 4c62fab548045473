# wrong: leaves the heads on an axis of their own
# named: heads_apart
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, 3, d_model // num_heads, d_model)
    return x[:, 0], x[:, 1], x[:, 2]
