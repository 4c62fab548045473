# wrong: returns a list of lists
# named: lists
def causal_mask(query_len, key_len):
    offset = key_len - query_len
    return [[j <= i + offset for j in range(key_len)] for i in range(query_len)]
