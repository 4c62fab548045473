# wrong: reads the rows as (head_dim, 3, num_heads)
# named: sizes_exchanged
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(d_model // num_heads, 3, num_heads, d_model)
    return tuple(x[:, which].reshape(d_model, d_model) for which in range(3))
