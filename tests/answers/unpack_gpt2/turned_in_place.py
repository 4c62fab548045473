# wrong: turns the weight itself round
def unpack_gpt2(weight):
    return weight.t_().chunk(3)
