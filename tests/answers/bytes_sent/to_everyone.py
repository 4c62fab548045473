# wrong: everything to everyone
# named: everything_to_everybody


def bytes_sent(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = (n - 1) * n * chunk * num_heads
    ring = (n - 1) * 2 * chunk * num_kv_heads
    return [heads, ring]
