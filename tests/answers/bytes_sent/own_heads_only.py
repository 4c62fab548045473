# wrong: a share of the heads in the all-reduce
# named: own_heads_summed


def bytes_sent(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = 2 * (n - 1) * chunk * (num_heads // n)
    ring = (n - 1) * 2 * chunk * num_kv_heads
    return [heads, ring]
