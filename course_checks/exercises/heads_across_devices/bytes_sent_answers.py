"""Answers to bytes_sent (lesson 15, exercise 6), right and wrong, as students write them."""

import torch

import course_checks as checks


# right
def steps(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    """Step by step, chunk by chunk."""
    n, heads, ring = num_devices, 0, 0
    for _ in range(2 * n - 2):
        heads += (tokens // n) * num_heads * head_dim * bytes_per_number
    for _ in range(n - 1):
        ring += (tokens // n) * num_kv_heads * head_dim * bytes_per_number  # keys
        ring += (tokens // n) * num_kv_heads * head_dim * bytes_per_number  # values
    return heads, ring


# right
def tensor(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    unit = 2 * (num_devices - 1) * (tokens // num_devices) * head_dim * bytes_per_number
    return torch.tensor([num_heads, num_kv_heads]) * unit


# wrong: n passes in both
# named: n_steps
def n_passes(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = 2 * n * chunk * num_heads
    ring = n * 2 * chunk * num_kv_heads
    return [heads, ring]


# wrong: of all devices together
# named: of_all_devices
def of_all_devices(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = 2 * (n - 1) * chunk * num_heads
    ring = (n - 1) * 2 * chunk * num_kv_heads
    return [n * heads, n * ring]


# wrong: floats where whole numbers are counted
# named: floats
# points: 6
def whole_floats(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n, unit = num_devices, head_dim * bytes_per_number
    return [
        2 * (n - 1) / n * tokens * num_heads * unit,
        (n - 1) * 2 * (tokens / n) * num_kv_heads * unit,
    ]


# wrong: the two exchanged
# named: exchanged
# points: 5
def swapped(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = 2 * (n - 1) * chunk * num_heads
    ring = (n - 1) * 2 * chunk * num_kv_heads
    return [ring, heads]


# wrong: everything to everyone
# named: everything_to_everybody
def to_everyone(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    n = num_devices
    chunk = tokens // n * head_dim * bytes_per_number
    heads = (n - 1) * n * chunk * num_heads
    ring = (n - 1) * 2 * chunk * num_kv_heads
    return [heads, ring]


# right
def fractions(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    share, unit = (num_devices - 1) / num_devices, tokens * head_dim * bytes_per_number
    return [round(2 * share * unit * num_heads), round(share * 2 * unit * num_kv_heads)]


# wrong: counts in KiB
def in_kib(*sizes):
    return [number / 1024 for number in checks.bytes_sent.exercise.reference(*sizes)]


# other inputs
def other_inputs(generator):
    yield from (
        (6, 4, 2, 3, 3, 2),
        (10, 6, 3, 2, 5, 4),
        (8, 2, 2, 5, 4, 1),
        (7, 3, 1, 4, 1, 2),
    )
