# wrong: num_heads // num_kv_heads
# named: divided_by_the_heads
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * (num_heads // num_kv_heads) * head_dim * bytes_per_number
    return [one, one * tokens]
