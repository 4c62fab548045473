# right
def unpack_gpt2(weight):
    d_model = weight.shape[0]
    return tuple(weight.reshape(d_model, 3, d_model).permute(1, 2, 0))
