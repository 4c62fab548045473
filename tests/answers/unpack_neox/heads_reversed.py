# wrong: the last head first
# named: heads_reversed
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, 3, -1, d_model).flip(0)
    return tuple(x[:, w].reshape(d_model, d_model) for w in range(3))
