# right
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    key = value = num_kv_heads * head_dim * bytes_per_number
    one = sum(key + value for _ in range(num_layers))
    return one, tokens * one
