"""Inputs for the exercises on caches and shared heads, other than the checks' own."""

import functools

import torch

from course_checks.exercises.cache_and_shared_heads.cached_layers import CachedLayer


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "cache_bytes":
        yield from (
            (2, 6, 3, 7, 3, 11),
            (4, 4, 4, 2, 1, 5),
            (3, 10, 2, 6, 8, 2),
            (1, 9, 1, 3, 5, 4),
        )
    elif name == "cached_attend":
        for batch, heads, past_len, new_len, size in (
            (2, 1, 4, 1, 3),
            (1, 3, 1, 4, 2),
            (2, 2, 0, 2, 5),
            (1, 2, 6, 3, 6),
        ):
            new = [randn(batch, heads, new_len, size) for _ in range(3)]
            yield *new, *(randn(batch, heads, past_len, size) for _ in range(2))
    elif name == "grouped_attend":
        for heads, kv_heads, query_len, key_len, size in (
            (4, 2, 3, 2, 3),
            (6, 3, 1, 5, 2),
            (9, 3, 2, 4, 5),
            (2, 1, 4, 4, 2),
        ):
            query, key = randn(2, heads, query_len, size), randn(2, kv_heads, key_len, size)
            yield query, key, randn(2, kv_heads, key_len, size)
    elif name == "mean_key_heads":
        for heads, groups, size, d_model in (
            (8, 4, 2, 3),
            (9, 3, 3, 7),
            (4, 1, 5, 4),
            (6, 3, 1, 6),
        ):
            yield randn(heads * size, d_model), heads, groups
    elif name == "absorbed_attend":
        for heads, query_len, key_len, size, latent_dim in (
            (2, 2, 3, 2, 7),
            (3, 1, 4, 5, 3),
            (4, 3, 2, 4, 4),
            (1, 4, 6, 3, 2),
        ):
            matrices = (randn(heads, size, latent_dim) for _ in range(2))
            yield randn(heads, query_len, size), randn(key_len, latent_dim), *matrices
    elif name == "same_with_cache":
        for fault in ("", "offset", "start", "chunk", "kept", "forgets", ""):
            yield CachedLayer(randn(3, 4, 4) / 2, fault), randn(7, 4)
    elif name == "rolling_step":
        for batch, heads, past_len, size, window in (
            (2, 1, 3, 3, 3),
            (1, 4, 1, 2, 4),
            (2, 2, 8, 5, 2),
            (3, 2, 2, 4, 1),
            (1, 2, 0, 6, 2),
        ):
            new = [randn(batch, heads, 1, size) for _ in range(3)]
            yield *new, *(randn(batch, heads, past_len, size) for _ in range(2)), window
