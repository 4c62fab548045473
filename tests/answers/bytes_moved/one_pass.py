# wrong: the table once
# named: table_once
def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
    qkvo = 2 * head_dim * (query_len + key_len)
    scores = query_len * key_len
    return [num_heads * bytes_per_number * (qkvo + scores), num_heads * bytes_per_number * qkvo]
