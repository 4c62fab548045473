# wrong: the first block three times
# named: query_for_all
def unpack_gpt2(weight):
    w = weight[:, : weight.shape[0]].T
    return w, w, w
