"""Answers to key_heads_of (lesson 15, exercise 4), right and wrong, as students write them."""

from collections import Counter

import torch

import course_checks as checks


# right
def ceil(rank, num_devices, num_heads, num_kv_heads):
    first = rank * num_kv_heads // num_devices
    return first, max(1, num_kv_heads // num_devices), max(1, num_devices // num_kv_heads)


# right
def sets(rank, num_devices, num_heads, num_kv_heads):
    owners = [h * num_devices // num_heads for h in range(num_heads)]
    keys = [h * num_kv_heads // num_heads for h in range(num_heads)]
    pairs = set(zip(owners, keys, strict=True))
    own = sorted(key for device, key in pairs if device == rank)
    return [own[0], len(own), Counter(key for _, key in pairs)[own[0]]]


# right
def tensor(rank, num_devices, num_heads, num_kv_heads):
    keys = torch.arange(num_kv_heads).repeat_interleave(num_heads // num_kv_heads)
    devices = keys.view(num_devices, -1)
    own = devices[rank].unique()
    return torch.tensor([own[0], len(own), (devices == own[0]).any(dim=1).sum()])


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


# wrong: first forgets that a device may hold several
# named: rank_where_several
# points: 5
def rank_by_share(rank, num_devices, num_heads, num_kv_heads):
    first = rank // max(1, num_devices // num_kv_heads)
    count = max(1, num_kv_heads // num_devices)
    holders = max(1, num_devices // num_kv_heads)
    return [first, count, holders]


# wrong: this device is not counted
# named: others_alone
def without_this_device(rank, num_devices, num_heads, num_kv_heads):
    first = rank * num_kv_heads // num_devices
    count = max(1, num_kv_heads // num_devices)
    holders = max(1, num_devices // num_kv_heads) - 1
    return [first, count, holders]


# wrong: rank % num_kv_heads
# named: in_turns
# points: 4
def in_turns_too(rank, num_devices, num_heads, num_kv_heads):
    n = max(1, num_kv_heads // num_devices)
    return [rank * n % num_kv_heads, n, max(1, num_devices // num_kv_heads)]


# wrong: returns the first and the last key head
# named: last_for_count
def first_and_last(rank, num_devices, num_heads, num_kv_heads):
    first, count, holders = checks.key_heads_of.exercise.reference(
        rank, num_devices, num_heads, num_kv_heads
    )
    return [first, first + count - 1, holders]


# wrong: divides by 0 where a key head has several devices
def divides_by_zero(rank, num_devices, num_heads, num_kv_heads):
    share = num_kv_heads // num_devices
    return [rank * share, share, num_devices // (num_kv_heads // share)]


# other inputs
def other_inputs(generator):
    yield from (
        (3, 6, 12, 3),
        (5, 8, 16, 4),
        (1, 3, 18, 6),
        (2, 4, 4, 2),
        (0, 2, 6, 6),
        (7, 8, 24, 8),
    )
