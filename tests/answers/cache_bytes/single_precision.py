# wrong: 4 bytes, always
# named: four_bytes
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim * 4
    return [one, one * tokens]
