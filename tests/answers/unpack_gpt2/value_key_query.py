# wrong: takes the blocks from the last one
# named: value_first
def unpack_gpt2(weight):
    v, k, q = weight.T.chunk(3)
    return q, k, v
