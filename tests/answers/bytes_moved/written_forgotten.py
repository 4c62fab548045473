# wrong: the output is not counted
# named: output_forgotten
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    reads = query_len * head_dim + 2 * key_len * head_dim
    table = 4 * query_len * key_len
    size = num_heads * bytes_per_number
    return size * (reads + table), size * reads
