# wrong: num_heads for num_kv_heads
# named: query_heads
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * num_heads * head_dim * 2 * bytes_per_number
    return [one, one * tokens]
