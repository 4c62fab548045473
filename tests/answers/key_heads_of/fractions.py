# wrong: / for //
# named: fraction


def key_heads_of(rank, num_devices, num_heads, num_kv_heads):
    first = rank * num_kv_heads / num_devices
    count = max(1, num_kv_heads / num_devices)
    holders = max(1, num_devices / num_kv_heads)
    return [first, count, holders]
