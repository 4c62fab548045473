# wrong: num_heads * head_dim for a head
# named: width_for_head
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * num_heads * head_dim * bytes_per_number
    return [one, one * tokens]
