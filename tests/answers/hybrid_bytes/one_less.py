# wrong: a window keeps one token less
# named: window_of_the_past


def hybrid_bytes(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window - 1, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]
