# wrong: a state for keys and one for values
# named: state_twice


def hybrid_bytes(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4 * 2,
    }
    return [kept[layer] for layer in layers]
