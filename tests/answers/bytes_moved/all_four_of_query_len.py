# wrong: everything has query_len rows
# named: square
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    four = 4 * query_len * head_dim * num_heads * bytes_per_number
    return [four + 4 * query_len**2 * num_heads * bytes_per_number, four]
