# wrong: the table times head_dim
# named: operations
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * head_dim * (query_len + key_len)
    table = 4 * query_len * key_len * head_dim
    return [num_heads * (ends + table) * bytes_per_number, num_heads * ends * bytes_per_number]
