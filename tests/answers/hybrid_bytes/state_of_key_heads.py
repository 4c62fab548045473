# wrong: a state for each key head
# named: state_of_the_key_heads


def hybrid_bytes(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_kv_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]
