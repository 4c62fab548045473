# wrong: keys and values exchanged
# named: key_value_exchanged
def unpack_gpt2(weight):
    q, v, k = weight.T.chunk(3)
    return q, k, v
