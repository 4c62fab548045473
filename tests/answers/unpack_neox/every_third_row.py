# wrong: every third row
# named: every_third
def unpack_neox(weight, num_heads):
    return weight[0::3], weight[1::3], weight[2::3]
