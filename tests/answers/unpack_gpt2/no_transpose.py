# wrong: forgets to turn the blocks round
# named: not_transposed


def unpack_gpt2(weight):
    return tuple(weight.chunk(3, dim=1))
