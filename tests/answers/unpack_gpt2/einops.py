# right


def unpack_gpt2(weight):
    d = weight.shape[0]
    return weight.view(d, 3, d).permute(1, 2, 0).unbind(0)
