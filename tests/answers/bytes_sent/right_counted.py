# right


def bytes_sent(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    chunk = tokens // num_devices * head_dim * bytes_per_number
    heads = sum(chunk * num_heads for _ in range(2 * num_devices - 2))
    return heads, sum(2 * chunk * num_kv_heads for _ in range(num_devices - 1))
