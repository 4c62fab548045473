# wrong: each key head on one device
# named: no_copies


def key_heads_of(rank, num_devices, num_heads, num_kv_heads):
    first = rank * num_kv_heads // num_devices
    count = max(1, num_kv_heads // num_devices)
    holders = 1
    return [first, count, holders]
