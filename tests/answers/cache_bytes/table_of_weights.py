# wrong: tokens squared
# named: square_of_the_tokens
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number
    return [one, one * tokens * tokens]
