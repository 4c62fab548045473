# wrong: takes the first rows of a head for its key
# named: query_key_exchanged
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, 3, -1, d_model)
    k, q, v = (x[:, which].reshape(d_model, d_model) for which in range(3))
    return q, k, v
