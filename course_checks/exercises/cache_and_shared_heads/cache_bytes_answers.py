"""Answers to cache_bytes (lesson 13, exercise 1), right and wrong, as students write them."""

import torch


# wrong: the other order
# named: exchanged
def all_first(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    total = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number * tokens
    return total, total // tokens


# wrong: times 8
# named: bits
def bits(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number * 8
    return [one, one * tokens]


# wrong: numbers, not bytes
# named: numbers
def count_of_numbers(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim
    return [one, one * tokens]


# wrong: 2 bytes, always
# named: two_bytes
def half_precision(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim * 2
    return [one, one * tokens]


# wrong: num_heads for num_kv_heads
# named: query_heads
def heads_of_the_queries(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * num_heads * head_dim * 2 * bytes_per_number
    return [one, one * tokens]


# wrong: the 2 is missing
# named: keys_alone
def keys_only(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * num_kv_heads * head_dim * bytes_per_number
    return [one, one * tokens]


# wrong: one layer
# named: one_layer
def layers_forgotten(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = 2 * num_kv_heads * head_dim * bytes_per_number
    return [one, one * tokens]


# wrong: num_heads * head_dim for a head
# named: width_for_head
def model_width(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * num_heads * head_dim * bytes_per_number
    return [one, one * tokens]


# wrong: prints and returns nothing
def printed(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number
    print(one, one * tokens)


# right
def right_floats(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    text = 2.0 * tokens * num_kv_heads * head_dim * num_layers * bytes_per_number
    return [text / tokens, text]


# right
def right_real_cache(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    """Makes the cache of one token, of numbers of one byte."""
    layer = [torch.zeros(num_kv_heads, head_dim, dtype=torch.uint8) for _ in ("key", "value")]
    one = num_layers * bytes_per_number * sum(kept.numel() for kept in layer)
    return [one, one * tokens]


# right
def right_sum_of_layers(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    key = value = num_kv_heads * head_dim * bytes_per_number
    one = sum(key + value for _ in range(num_layers))
    return one, tokens * one


# wrong: the second number is the first
# named: one_token_twice
def same_twice(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number
    return [one, one]


# wrong: num_heads // num_kv_heads
# named: divided_by_the_heads
def share(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * (num_heads // num_kv_heads) * head_dim * bytes_per_number
    return [one, one * tokens]


# wrong: 4 bytes, always
# named: two_bytes
def single_precision(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim * 4
    return [one, one * tokens]


# wrong: tokens squared
# named: square_of_the_tokens
def table_of_weights(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number
    return [one, one * tokens * tokens]


# wrong: queries too
# named: query_heads
def three_tensors(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * (2 * num_kv_heads + num_heads) * head_dim * bytes_per_number
    return [one, one * tokens]


# wrong: the last token is not counted
def tokens_minus_one(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number
    return [one, one * (tokens - 1)]


# wrong: second number without one layer factor
# named: text_of_one_layer
def text_of_one_layer_too(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    a = 2 * num_kv_heads * head_dim * bytes_per_number
    return [a * num_layers, a * tokens]
