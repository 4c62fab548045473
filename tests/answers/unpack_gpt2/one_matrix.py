# wrong: turns the weight round and leaves it in one piece
# named: in_one_piece
def unpack_gpt2(weight):
    return weight.T
