"""Answers to cache_bytes (lesson 13, exercise 1), right and wrong, as students write them."""

import math

import torch


# right
def loop(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    """Key by key, value by value."""
    per_token = 0
    for _ in range(num_layers):
        for _ in range(num_kv_heads):
            per_token += head_dim * bytes_per_number
            per_token += head_dim * bytes_per_number
    return per_token, sum(per_token for _ in range(tokens))


# right
def tensor(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    """As large as buffers of that size."""
    kept = torch.empty(num_layers, 2, num_kv_heads, tokens, head_dim, device="meta")
    total = kept.numel() * bytes_per_number
    return torch.tensor([total // tokens, total])


# right
def prod(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    per_token = math.prod((2, num_layers, num_kv_heads, head_dim, bytes_per_number))
    return [per_token, tokens * per_token]


# wrong: the other order
# named: exchanged
def all_first(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    total = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number * tokens
    return total, total // tokens


# wrong: second number without one layer factor
# named: text_of_one_layer
# points: 2
def text_of_one_layer_too(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    a = 2 * num_kv_heads * head_dim * bytes_per_number
    return [a * num_layers, a * tokens]


# wrong: returns the bytes of the text alone
# says: a list of numbers
def for_the_text_alone(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    return num_layers * 2 * num_kv_heads * head_dim * bytes_per_number * tokens


# wrong: counts in KiB
def in_kib(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    per_token = 2 * num_layers * num_kv_heads * head_dim * bytes_per_number
    return [per_token / 1024, per_token * tokens / 1024]


# other inputs
def other_inputs(generator):
    yield from (
        (2, 6, 3, 7, 3, 11),
        (4, 4, 4, 2, 1, 5),
        (3, 10, 2, 6, 8, 2),
        (1, 9, 1, 3, 5, 4),
    )
