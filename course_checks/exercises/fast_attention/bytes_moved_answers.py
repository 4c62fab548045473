"""Answers to bytes_moved (lesson 12, exercise 4), right and wrong, as students write them."""

import functools
import math

import numpy as np
import torch


# right
def tensors(num_heads, query_len, key_len, head_dim, bytes_per_number):
    """Counts the numbers of real shapes."""
    q, k = (num_heads, query_len, head_dim), (num_heads, key_len, head_dim)
    table = (num_heads, query_len, key_len)
    fused = sum(map(math.prod, (q, k, k, q)))
    return (fused + 4 * math.prod(table)) * bytes_per_number, fused * bytes_per_number


# right
def factored(h, q, k, d, size):
    fused = 2 * h * size * d * (q + k)
    return torch.tensor([fused + 4 * h * q * k * size, fused])


# right
def passes(num_heads, query_len, key_len, head_dim, bytes_per_number):
    reads = num_heads * head_dim * (query_len + 2 * key_len)
    writes = num_heads * head_dim * query_len
    scores = num_heads * query_len * key_len
    explicit = (reads + scores + scores) + (writes + scores + scores)
    return np.array([explicit, reads + writes]) * bytes_per_number


# wrong: everything has query_len rows
# named: square
# points: 3
def all_four_of_query_len(num_heads, query_len, key_len, head_dim, bytes_per_number):
    four = 4 * query_len * head_dim * num_heads * bytes_per_number
    return [four + 4 * query_len**2 * num_heads * bytes_per_number, four]


# wrong: four bytes whatever is asked
# named: always_four_bytes
# points: 4
def float32(num_heads, query_len, key_len, head_dim, bytes_per_number):
    fused = 4 * num_heads * (2 * query_len + 2 * key_len) * head_dim
    return [fused + 4 * num_heads * 4 * query_len * key_len, fused]


# wrong: fused, explicit
# named: exchanged
def fused_first(num_heads, query_len, key_len, head_dim, bytes_per_number):
    ends = 2 * head_dim * (query_len + key_len) * num_heads * bytes_per_number
    return [ends, ends + 4 * query_len * key_len * num_heads * bytes_per_number]


# wrong: numbers, not bytes
# named: numbers_not_bytes
def in_numbers(num_heads, query_len, key_len, head_dim, bytes_per_number):
    fused = num_heads * (2 * query_len + 2 * key_len) * head_dim
    return [fused + num_heads * 4 * query_len * key_len, fused]


# wrong: returns one number
# says: numbers
def one_number(h, q, k, d, size):
    return h * size * (2 * q * d + 2 * k * d)


# other inputs
def other_inputs(generator):
    randint = functools.partial(torch.randint, generator=generator)
    for _ in range(6):
        yield tuple(randint(1, 40, (5,)).tolist())
