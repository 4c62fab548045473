# wrong: the output has key_len rows
# named: keys_and_queries_exchanged
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = head_dim * (query_len + 3 * key_len)
    unit = num_heads * bytes_per_number
    return [unit * (ends + 4 * query_len * key_len), unit * ends]
