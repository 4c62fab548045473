# wrong: takes the weight for three blocks
# named: blocks
def unpack_neox(weight, num_heads):
    return weight.chunk(3, dim=0)
