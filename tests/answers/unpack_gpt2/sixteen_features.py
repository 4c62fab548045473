# wrong: a d_model of 16, as in the example
def unpack_gpt2(weight):
    return weight[:, :16].T, weight[:, 16:32].T, weight[:, 32:].T
