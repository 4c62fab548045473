# wrong: the value block is left input first, and only it


def unpack_gpt2(weight):
    d = weight.shape[0]
    return weight[:, :d].mT, weight[:, d : 2 * d].mT, weight[:, 2 * d :]
