# wrong: the fused form writes its table
# named: fused_with_table
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * head_dim * (query_len + key_len)
    pairs = query_len * key_len
    unit = num_heads * bytes_per_number
    return [unit * (ends + 4 * pairs), unit * (ends + pairs)]
