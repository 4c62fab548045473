# right
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.reshape(num_heads, 3, d_model // num_heads, d_model)
    q, k, v = x.permute(1, 0, 2, 3).reshape(3, d_model, d_model)
    return q, k, v
