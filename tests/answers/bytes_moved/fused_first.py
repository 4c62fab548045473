# wrong: fused, explicit
# named: exchanged
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * head_dim * (query_len + key_len) * num_heads * bytes_per_number
    return [ends, ends + 4 * query_len * key_len * num_heads * bytes_per_number]
