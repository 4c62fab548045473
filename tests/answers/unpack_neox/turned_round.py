# wrong: turns each result round, as for GPT-2
# named: transposed
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, 3, d_model // num_heads, d_model)
    return tuple(x[:, w].reshape(d_model, d_model).T for w in range(3))
