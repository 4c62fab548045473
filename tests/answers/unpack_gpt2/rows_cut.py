# wrong: cuts the rows in three
# named: cut_between_rows
def unpack_gpt2(weight):
    return weight.chunk(3, dim=0)
