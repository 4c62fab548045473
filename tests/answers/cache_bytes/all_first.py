# wrong: the other order
# named: exchanged
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    total = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number * tokens
    return total, total // tokens
