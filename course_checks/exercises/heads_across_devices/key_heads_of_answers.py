"""Answers to key_heads_of (lesson 15, exercise 4), right and wrong, as students write them."""

import torch


# wrong: counts query heads
# named: query_heads
def count_of_query_heads(rank, num_devices, num_heads, num_kv_heads):
    first = rank * num_kv_heads // num_devices
    count = num_heads // num_devices
    holders = max(1, num_devices // num_kv_heads)
    return [first, count, holders]


# wrong: the shares become 0
# named: both_divided_to_nothing
def count_of_zero(rank, num_devices, num_heads, num_kv_heads):
    first = rank * (num_kv_heads // num_devices)
    count = num_kv_heads // num_devices
    holders = num_devices // num_kv_heads
    return [first, count, holders]


# wrong: num_kv_heads taken for the group
# named: key_heads_for_group
def divided_by_key_heads(rank, num_devices, num_heads, num_kv_heads):
    first = rank * (num_heads // num_devices) // num_kv_heads
    count = max(1, num_kv_heads // num_devices)
    holders = max(1, num_devices // num_kv_heads)
    return [first, count, holders]


# wrong: the first query head
# named: first_query_head
def first_query_head(rank, num_devices, num_heads, num_kv_heads):
    first = rank * (num_heads // num_devices)
    count = max(1, num_kv_heads // num_devices)
    holders = max(1, num_devices // num_kv_heads)
    return [first, count, holders]


# wrong: / for //
# named: fraction
def fractions(rank, num_devices, num_heads, num_kv_heads):
    first = rank * num_kv_heads / num_devices
    count = max(1, num_kv_heads / num_devices)
    holders = max(1, num_devices / num_kv_heads)
    return [first, count, holders]


# wrong: each key head on one device
# named: no_copies
def holders_one(rank, num_devices, num_heads, num_kv_heads):
    first = rank * num_kv_heads // num_devices
    count = max(1, num_kv_heads // num_devices)
    holders = 1
    return [first, count, holders]


# wrong: key heads in turns
# named: in_turns
def modulo(rank, num_devices, num_heads, num_kv_heads):
    first = rank % num_kv_heads
    count = max(1, num_kv_heads // num_devices)
    holders = max(1, num_devices // num_kv_heads)
    return [first, count, holders]


# wrong: first forgets that a device may hold several
# named: rank_where_several
def rank_by_share(rank, num_devices, num_heads, num_kv_heads):
    first = rank // max(1, num_devices // num_kv_heads)
    count = max(1, num_kv_heads // num_devices)
    holders = max(1, num_devices // num_kv_heads)
    return [first, count, holders]


# right
def right_closed(rank, num_devices, num_heads, num_kv_heads):
    n, kv = num_devices, num_kv_heads
    return rank * kv // n, max(1, kv // n), max(1, n // kv)


# right
def right_tensor(rank, num_devices, num_heads, num_kv_heads):
    group, here = num_heads // num_kv_heads, num_heads // num_devices

    def held(r):
        return {head // group for head in range(r * here, (r + 1) * here)}

    first = min(held(rank))
    return torch.tensor([first, len(held(rank)), sum(first in held(r) for r in range(num_devices))])


# wrong: this device is not counted
# named: others_alone
def without_this_device(rank, num_devices, num_heads, num_kv_heads):
    first = rank * num_kv_heads // num_devices
    count = max(1, num_kv_heads // num_devices)
    holders = max(1, num_devices // num_kv_heads) - 1
    return [first, count, holders]


# wrong: rank % num_kv_heads
# named: in_turns
def in_turns_too(rank, num_devices, num_heads, num_kv_heads):
    n = max(1, num_kv_heads // num_devices)
    return [rank * n % num_kv_heads, n, max(1, num_devices // num_kv_heads)]


# wrong: num_kv_heads // num_devices is 0, for first and for count
# named: divided_to_nothing
def no_key_head_left(rank, num_devices, num_heads, num_kv_heads):
    count = num_kv_heads // num_devices
    first = rank * count
    holders = 1 if count >= 1 else num_devices // num_kv_heads
    return [first, count, holders]
