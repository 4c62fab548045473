# wrong: turns the weight itself round
# named: changes_input
def unpack_gpt2(weight):
    return weight.t_().chunk(3)
