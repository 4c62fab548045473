# wrong: views the weight as three squares and turns each round
# named: reshaped_transposed
def unpack_gpt2(weight):
    d_model = weight.shape[0]
    q, k, v = weight.reshape(3, d_model, d_model)
    return q.T, k.T, v.T
