# wrong: num_heads is never used
# named: one_head
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    fused = (2 * query_len + 2 * key_len) * head_dim * bytes_per_number
    return [fused + 4 * query_len * key_len * bytes_per_number, fused]
