# wrong: four bytes whatever is asked
# named: always_four_bytes
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    fused = 4 * num_heads * (2 * query_len + 2 * key_len) * head_dim
    return [fused + 4 * num_heads * 4 * query_len * key_len, fused]
