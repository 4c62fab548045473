# wrong: numbers, not bytes
# named: numbers_not_bytes
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    fused = num_heads * (2 * query_len + 2 * key_len) * head_dim
    return [fused + num_heads * 4 * query_len * key_len, fused]
