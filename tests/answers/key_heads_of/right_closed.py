# right


def key_heads_of(rank, num_devices, num_heads, num_kv_heads):
    n, kv = num_devices, num_kv_heads
    return rank * kv // n, max(1, kv // n), max(1, n // kv)
