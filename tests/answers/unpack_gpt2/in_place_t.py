# wrong: transposes the caller's weight in place
# named: changes_input


def unpack_gpt2(weight):
    weight.t_()
    return weight.chunk(3, dim=0)
