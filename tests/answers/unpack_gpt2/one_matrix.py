# wrong: turns the weight round and leaves it in one piece
def unpack_gpt2(weight):
    return weight.T
