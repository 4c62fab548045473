# wrong: reads the rows as (num_heads, head_dim, 3)
# named: every_third
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, d_model // num_heads, 3, d_model)
    return tuple(x[:, :, which].reshape(d_model, d_model) for which in range(3))
