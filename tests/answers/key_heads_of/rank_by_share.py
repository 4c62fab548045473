# wrong: first forgets that a device may hold several
# named: rank_where_several


def key_heads_of(rank, num_devices, num_heads, num_kv_heads):
    first = rank // max(1, num_devices // num_kv_heads)
    count = max(1, num_kv_heads // num_devices)
    holders = max(1, num_devices // num_kv_heads)
    return [first, count, holders]
