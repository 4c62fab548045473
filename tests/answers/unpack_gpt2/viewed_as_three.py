# wrong: views the weight straight as three squares
# named: reshaped
def unpack_gpt2(weight):
    d_model = weight.shape[0]
    q, k, v = weight.reshape(3, d_model, d_model)
    return q, k, v
