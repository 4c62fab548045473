# wrong: 4 heads, as in the example
# named: four_heads
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(4, 3, d_model // 4, d_model)
    return tuple(x[:, w].reshape(d_model, d_model) for w in range(3))
