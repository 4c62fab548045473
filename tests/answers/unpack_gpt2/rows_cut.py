# wrong: cuts the rows in three
def unpack_gpt2(weight):
    return weight.chunk(3, dim=0)
