"""Answers to hybrid_bytes (lesson 14, exercise 6), right and wrong, as students write them."""

import torch

import course_checks as checks


# right
def by_if(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    found = []
    for layer in layers:
        if layer == "state":
            found.append(4 * num_heads * head_dim**2)
            continue
        kept = tokens if layer == "global" or tokens < window else window
        found.append(kept * num_kv_heads * head_dim * 2 * bytes_per_number)
    return tuple(found)


# right
def by_buffers(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    """As large as buffers of these shapes."""
    total = []
    for layer in layers:
        rows = min(window, tokens) if layer == "window" else tokens
        shape = (2, num_kv_heads, rows, head_dim)
        size = bytes_per_number
        if layer == "state":
            shape, size = (num_heads, head_dim, head_dim), torch.float32.itemsize
        total.append(torch.empty(shape, device="meta").numel() * size)
    return torch.tensor(total)


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
# points: 3
# bytes_twice = bits: "state": num_heads * head_dim * head_dim * 4, -> "state": num_heads * head_dim * head_dim * 4 * bytes_per_number,
# bytes_twice = bits: return [8 * kept[layer] for layer in layers] -> return [kept[layer] for layer in layers]


# wrong: returns the sum
# says: a list of numbers
def total_bytes(*args):
    return sum(checks.hybrid_bytes.exercise.reference(*args))


# wrong: returns a dictionary
# says: a list of numbers
def by_a_dictionary(*args):
    return dict(enumerate(checks.hybrid_bytes.exercise.reference(*args)))


# wrong: a window keeps one token less
# named: window_of_the_past
# points: 2
# one_less = bits: "window": min(window, tokens) * row, -> "window": min(window - 1, tokens) * row,
# one_less = bits: return [8 * kept[layer] for layer in layers] -> return [kept[layer] for layer in layers]


# wrong: the window is full from the start
# named: window_always_full
# points: 5
# window_always_full = bits: "window": min(window, tokens) * row, -> "window": window * row,
# window_always_full = bits: return [8 * kept[layer] for layer in layers] -> return [kept[layer] for layer in layers]


# other inputs
def other_inputs(generator):
    yield from (
        (("window", "state", "global"), 6, 2, 10, 8, 2, 30),
        (("state",), 4, 4, 7, 5, 1, 9),
        (("global", "window", "window"), 9, 3, 5, 12, 4, 7),
        (("window", "global"), 8, 1, 6, 9, 8, 9),
    )
