# wrong: the 2 is missing
# named: keys_alone
def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * num_kv_heads * head_dim * bytes_per_number
    return [one, one * tokens]
