# wrong: one layer
# named: one_layer
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = 2 * num_kv_heads * head_dim * bytes_per_number
    return [one, one * tokens]
