# right


def bytes_sent(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n, unit = num_devices, head_dim * bytes_per_number
    return [
        2 * (n - 1) / n * tokens * num_heads * unit,
        (n - 1) * 2 * (tokens / n) * num_kv_heads * unit,
    ]
