# wrong: the shares become 0
# named: both_divided_to_nothing


def key_heads_of(rank, num_devices, num_heads, num_kv_heads):
    first = rank * (num_kv_heads // num_devices)
    count = num_kv_heads // num_devices
    holders = num_devices // num_kv_heads
    return [first, count, holders]
