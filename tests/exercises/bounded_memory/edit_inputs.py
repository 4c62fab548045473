"""Inputs for the exercises on memory that does not grow, other than the checks' own."""

import functools

import torch


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "earliest_seen":
        yield from (
            ([5, 2, 3], 20),
            ([2, 2, 7], 5),
            ([3, 0, 4], 12),
            ([0, 2], 3),
            ([1, 4, 1, 2], 6),
            ([6], 5),
        )
    elif name == "sink_attend":
        for heads, query_len, key_len, size, value_dim in (
            (2, 3, 5, 4, 2),
            (3, 1, 2, 3, 3),
            (1, 4, 4, 2, 6),
        ):
            query, key = randn(heads, query_len, size), randn(heads, key_len, size)
            yield query, key, randn(heads, key_len, value_dim), randn(heads)
    elif name == "linear_step":
        for heads, key_dim, value_dim, past in ((2, 3, 2, 4), (1, 4, 4, 0), (3, 2, 5, 1)):
            keys = randn(heads, past, key_dim).exp()
            memory = keys.transpose(1, 2) @ randn(heads, past, value_dim)
            new = (randn(heads, key_dim).exp() for _ in range(2))
            yield memory, keys.sum(dim=1), *new, randn(heads, value_dim)
    elif name == "delta_step":
        for heads, key_dim, value_dim in ((2, 3, 2), (1, 4, 4), (3, 2, 5)):
            key = torch.nn.functional.normalize(randn(heads, key_dim), dim=-1)
            memory, query = randn(heads, key_dim, value_dim), randn(heads, key_dim)
            rates = (randn(heads).sigmoid() for _ in range(2))
            yield memory, query, key, randn(heads, value_dim), *rates
    elif name == "sum_in_chunks":
        for length, key_dim, value_dim, chunk_len in (
            (6, 3, 2, 2),
            (7, 2, 3, 3),
            (1, 2, 2, 4),
            (10, 4, 3, 4),
        ):
            query, key = (randn(length, key_dim).exp() for _ in range(2))
            yield query, key, randn(length, value_dim), chunk_len
            yield query.double(), key.double(), randn(length, value_dim).double(), chunk_len
    elif name == "hybrid_bytes":
        yield from (
            (("window", "state", "global"), 6, 2, 10, 8, 2, 30),
            (("state",), 4, 4, 7, 5, 1, 9),
            (("global", "window", "window"), 9, 3, 5, 12, 4, 7),
            (("window", "global"), 8, 1, 6, 9, 8, 9),
        )
    elif name == "choose_layers":
        yield from (
            (4, 4, 6, 12, 1),
            (4, 4, 6, 13, 1),
            (5, 4, 6, 3, 3),
            (5, 4, 6, 5, 2),
            (4, 4, 5, 4, 2),
            (4, 5, 7, 16, 7),
            (4, 5, 7, 22, 8),
            (6, 5, 7, 23, 1),
        )
