# wrong: reads the matrix as three blocks, queries of all heads first
# named: blocks


def unpack_neox(weight, num_heads):
    return weight.chunk(3)
