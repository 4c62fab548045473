# wrong: takes the order key, query, value
# named: query_key_exchanged


def unpack_gpt2(weight):
    w_key, w_query, w_value = weight.T.chunk(3)
    return w_query, w_key, w_value
