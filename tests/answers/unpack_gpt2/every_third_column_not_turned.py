# wrong: every third column, not turned round
# named: every_third
def unpack_gpt2(weight):
    return weight[:, 0::3], weight[:, 1::3], weight[:, 2::3]
