# wrong: the first block three times
def unpack_gpt2(weight):
    w = weight[:, : weight.shape[0]].T
    return w, w, w
