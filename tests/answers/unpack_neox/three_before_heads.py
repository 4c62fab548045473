# wrong: reads the rows as (3, num_heads, head_dim)
# named: blocks
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(3, num_heads, d_model // num_heads, d_model)
    return tuple(part.reshape(d_model, d_model) for part in x)
