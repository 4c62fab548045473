# wrong: keys without values
# named: keys_alone


def bytes_sent(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = 2 * (n - 1) * chunk * num_heads
    ring = (n - 1) * chunk * num_kv_heads
    return [heads, ring]
