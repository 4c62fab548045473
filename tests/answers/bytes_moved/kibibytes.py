# wrong: in KiB
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * head_dim * (query_len + key_len) * num_heads * bytes_per_number
    table = 4 * query_len * key_len * num_heads * bytes_per_number
    return [(ends + table) / 1024, ends / 1024]
