# wrong: this device is not counted
# named: others_alone


def key_heads_of(rank, num_devices, num_heads, num_kv_heads):
    first = rank * num_kv_heads // num_devices
    count = max(1, num_kv_heads // num_devices)
    holders = max(1, num_devices // num_kv_heads) - 1
    return [first, count, holders]
