# wrong: the values are not counted
# named: value_forgotten
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * query_len * head_dim + key_len * head_dim
    unit = num_heads * bytes_per_number
    return [unit * (ends + 4 * query_len * key_len), unit * ends]
