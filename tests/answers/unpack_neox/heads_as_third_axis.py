# wrong: takes num_heads apart from d_model of the columns
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.reshape(3, d_model, num_heads, d_model // num_heads)
    return tuple(part.transpose(0, 1).reshape(d_model, d_model) for part in x)
