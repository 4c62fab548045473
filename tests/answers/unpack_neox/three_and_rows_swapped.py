# wrong: reads 3 as the rows and head_dim as the three
# named: three_behind_rows
def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, 3, -1, d_model).transpose(1, 2)
    q, k, v = x.reshape(3, d_model, d_model)
    return q, k, v
