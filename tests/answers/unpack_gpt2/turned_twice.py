# wrong: turns the whole round, and each block once more
# named: not_transposed
def unpack_gpt2(weight):
    return tuple(part.T for part in weight.T.chunk(3))
