# wrong: 2 bytes, always
# named: two_bytes
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim * 2
    return [one, one * tokens]
