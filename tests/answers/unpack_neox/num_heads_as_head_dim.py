# wrong: takes num_heads for the number of rows of a head
# named: sizes_exchanged
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(-1, 3, num_heads, d_model)
    return tuple(x[:, w].reshape(d_model, d_model) for w in range(3))
