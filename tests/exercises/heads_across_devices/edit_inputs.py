"""Inputs for the exercises on heads across devices, other than the checks' own."""

import functools

import torch


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "cut_heads":
        for features, d_model, rank, n in ((8, 3, 1, 4), (6, 6, 2, 3), (10, 4, 0, 2), (5, 5, 4, 5)):
            yield *(randn(features, d_model) for _ in range(3)), randn(d_model, features), rank, n
    elif name == "part_of_device":
        for heads, head_dim, seq_len, d_model in ((2, 3, 4, 5), (4, 2, 2, 7), (1, 5, 3, 4)):
            matrices = [randn(heads * head_dim, d_model) for _ in range(3)]
            out = randn(d_model, heads * head_dim)
            yield randn(seq_len, d_model), *matrices, out, head_dim
    elif name == "feed_forward_parts":
        for tokens, d_model, d_ff, n in ((2, 3, 6, 3), (4, 2, 8, 4), (1, 5, 10, 2), (3, 3, 2, 1)):
            up, down = randn(d_ff, d_model), randn(d_model, d_ff)
            yield randn(tokens, d_model), up, randn(d_ff), down, randn(d_model), n
    elif name == "key_heads_of":
        yield from (
            (3, 6, 12, 3),
            (5, 8, 16, 4),
            (1, 3, 18, 6),
            (2, 4, 4, 2),
            (0, 2, 6, 6),
            (7, 8, 24, 8),
        )
    elif name == "ring_output":
        for n, size, head_dim, value_dim in (
            (2, 4, 3, 2),
            (3, 1, 2, 3),
            (4, 3, 2, 1),
            (1, 3, 2, 2),
        ):
            for is_causal in (False, True):
                keys, values = randn(n, size, head_dim), randn(n, size, value_dim)
                yield randn(size, head_dim), keys, values, n // 2, is_causal
    elif name == "bytes_sent":
        yield from (
            (6, 4, 2, 3, 3, 2),
            (10, 6, 3, 2, 5, 4),
            (8, 2, 2, 5, 4, 1),
            (7, 3, 1, 4, 1, 2),
        )
