# wrong: prints and returns nothing
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number
    print(one, one * tokens)
