# wrong: numbers, not bytes
# named: numbers
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim
    return [one, one * tokens]
