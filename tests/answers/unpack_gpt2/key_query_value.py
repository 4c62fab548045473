# wrong: takes the first block for the keys
# named: query_key_exchanged
def unpack_gpt2(weight):
    key, query, value = weight.T.chunk(3)
    return query, key, value
