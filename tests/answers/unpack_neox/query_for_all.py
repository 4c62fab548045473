# wrong: the query part three times
# named: query_for_all
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    q = weight.view(num_heads, 3, -1, d_model)[:, 0].reshape(d_model, d_model)
    return q, q, q
