# wrong: turns the weight round before it cuts it
# named: turned_first
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.T.reshape(num_heads, 3, d_model // num_heads, d_model)
    return tuple(x[:, w].reshape(d_model, d_model) for w in range(3))
