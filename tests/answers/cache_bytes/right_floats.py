# right
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    text = 2.0 * tokens * num_kv_heads * head_dim * num_layers * bytes_per_number
    return [text / tokens, text]
