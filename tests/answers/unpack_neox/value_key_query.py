# wrong: reads the three of a head in reversed order
# named: value_first
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    v, k, q = weight.view(num_heads, 3, -1, d_model).unbind(1)
    return q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1)
