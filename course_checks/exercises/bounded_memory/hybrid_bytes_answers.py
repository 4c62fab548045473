"""Answers to hybrid_bytes (lesson 14, exercise 6), right and wrong, as students write them."""

import torch


# wrong: bits
def bits(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [8 * kept[layer] for layer in layers]


# wrong: bytes_per_number and 4 for the state
def bytes_twice(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4 * bytes_per_number,
    }
    return [kept[layer] for layer in layers]


# wrong: a dictionary by kind
def dictionary(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return {layer: kept[layer] for layer in layers}


# wrong: keys without values
# named: keys_alone
def keys_alone(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]


# wrong: the larger of the two
# named: window_grows
def larger(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": max(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]


# wrong: the layers in the other order
# named: from_the_top
def last_layer_first(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers[::-1]]


# wrong: divided by the bytes of a number
def numbers(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] / bytes_per_number for layer in layers]


# wrong: numbers in the caches, bytes in the state
# named: numbers
def numbers_in_the_caches(
    layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens
):
    row = 2 * num_kv_heads * head_dim
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]


# wrong: a window keeps one token less
# named: window_of_the_past
def one_less(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window - 1, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]


# wrong: one state for all heads
# named: state_of_one_head
def one_state(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]


# wrong: the query heads have keys
# named: query_heads
def query_heads(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]


# right
def right_counted_tokens(
    layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens
):
    found = []
    for layer in layers:
        if layer == "state":
            found.append(torch.empty(num_heads, head_dim, head_dim, device="meta").nbytes)
            continue
        count = tokens if layer == "global" else sorted((window, tokens))[0]
        keys = torch.empty(num_kv_heads, count, head_dim, device="meta")
        found.append(2 * keys.numel() * bytes_per_number)
    return found


# right
def right_floats(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [float(kept[layer]) for layer in layers]


# right
def right_tuple(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return tuple(kept[layer] for layer in layers)


# wrong: a total beside the state
# named: state_with_a_total
def state_and_total(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * (head_dim * head_dim + head_dim) * 4,
    }
    return [kept[layer] for layer in layers]


# wrong: the state grows with the tokens
# named: state_grows
def state_grows(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4 * tokens,
    }
    return [kept[layer] for layer in layers]


# wrong: bytes_per_number for the state
# named: state_in_small_numbers
def state_in_given_bytes(
    layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens
):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * bytes_per_number,
    }
    return [kept[layer] for layer in layers]


# wrong: a state for each key head
# named: state_of_the_key_heads
def state_of_key_heads(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_kv_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]


# wrong: one state as wide as all heads
# named: state_of_the_width
def state_of_the_model(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": (num_heads * head_dim) ** 2 * 4,
    }
    return [kept[layer] for layer in layers]


# wrong: the sum of all layers
def summed_over_layers(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return sum(kept[layer] for layer in layers)


# wrong: a state for keys and one for values
# named: state_twice
def two_states(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": min(window, tokens) * row,
        "state": num_heads * head_dim * head_dim * 4 * 2,
    }
    return [kept[layer] for layer in layers]


# wrong: the window is full from the start
# named: window_always_full
def window_always_full(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": window * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]


# wrong: a window keeps all tokens
# named: window_grows
def window_keeps_all(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    row = 2 * num_kv_heads * head_dim * bytes_per_number
    kept = {
        "global": tokens * row,
        "window": tokens * row,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]
