# wrong: cuts the columns into three and forgets to turn them round
# named: not_transposed


def unpack_gpt2(weight):
    return weight.chunk(3, dim=1)
