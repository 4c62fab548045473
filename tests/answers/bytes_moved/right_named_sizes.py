# right
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    query = output = query_len * head_dim
    key = value = key_len * head_dim
    scores = weights = query_len * key_len
    read_once = query + key + value
    explicit = read_once + 2 * scores + 2 * weights + output
    fused = read_once + output
    return tuple(num_heads * bytes_per_number * n for n in (explicit, fused))
