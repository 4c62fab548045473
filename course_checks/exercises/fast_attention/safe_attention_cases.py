"""Inputs for attention that is safe on any kernel: masks, is_causal, and queries without a key."""

import torch

from course_checks.exercise import Case, randn


def case(generator, query_len, key_len, mask, is_causal=False, label=""):
    query, key = randn(generator, query_len, 4), randn(generator, key_len, 4)
    args = (query, key, randn(generator, key_len, 3), mask, is_causal, 0.0, False)
    return Case(args, label=label or f"{query_len} queries, {key_len} keys")


def some(generator, query_len, key_len):
    """A random mask; every query may see key 0, and none sees all."""
    mask = torch.rand(query_len, key_len, generator=generator, device="cpu") < 0.5
    mask[:, 0], mask[:, 1] = True, False
    return mask


def empty_row(generator, query_len, key_len):
    mask = some(generator, query_len, key_len)
    mask[1] = False
    return mask


def plain(generator):
    return [
        case(generator, 2, 3, None, label="no mask"),
        case(generator, 3, 3, None, is_causal=True, label="is_causal, 3 queries and 3 keys"),
        case(generator, 3, 5, some(generator, 3, 5), label="a mask"),
    ]


def without_keys(generator):
    both = some(generator, 4, 4)
    both[0, 0] = False  # and the others lie in its future
    return [
        case(generator, 3, 4, empty_row(generator, 3, 4), label="query 1 may see no key"),
        case(generator, 4, 4, both, is_causal=True, label="query 0 may see later keys only"),
    ]


def longer(generator):
    return [
        case(generator, 1, 5, None, is_causal=True, label="is_causal, 1 query and 5 keys"),
        case(generator, 2, 6, None, is_causal=True, label="is_causal, 2 queries and 6 keys"),
    ]


def both(generator):
    mask = some(generator, 4, 4)
    mask[:, 3] = True  # what is_causal must hide from all but the last
    return [
        case(generator, 4, 4, mask, is_causal=True, label="is_causal and a mask"),
        case(generator, 3, 6, some(generator, 3, 6), is_causal=True, label="both, more keys"),
    ]
