"""Inputs for the exercises on fast attention, other than the checks' own."""

import functools

import torch

from course_lib.attention.online_softmax import partial_softmax


def part(randn, queries, keys, features, shift=0.0):
    return tuple(partial_softmax(3 * randn(queries, keys) + shift, randn(keys, features)))


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)
    randint = functools.partial(torch.randint, generator=generator)

    if name == "running_softmax":
        for length, shift in ((1, 0), (2, 3), (7, -200), (9, 200)):
            yield (5 * randn(length) + shift,)
        yield (randn(6).sort().values,)
    elif name == "merge_parts":
        for queries, keys, others, features in ((1, 2, 1, 3), (4, 1, 6, 2), (2, 3, 0, 2)):
            for shift in (0, 150):
                yield (
                    part(randn, queries, keys, features, shift),
                    part(randn, queries, others, features),
                )
        yield part(randn, 2, 0, 3), part(randn, 2, 0, 3)
    elif name == "attend_in_tiles":
        for length, block_len in ((1, 1), (5, 3), (8, 4), (9, 2), (4, 9)):
            for is_causal in (False, True):
                yield randn(length, 3), randn(length, 3), randn(length, 2), block_len, is_causal
    elif name == "bytes_moved":
        for _ in range(6):
            yield tuple(randint(1, 40, (5,)).tolist())
    elif name == "safe_attention":
        for query_len, key_len in ((1, 1), (3, 3), (2, 5), (4, 7)):
            for is_causal in (False, True):
                for mask in (None, torch.rand(query_len, key_len, generator=generator) < 0.5):
                    yield (
                        *(randn(query_len, 4), randn(key_len, 4), randn(key_len, 2)),
                        *(mask, is_causal, 0.3, False),
                    )
    elif name == "document_rule":
        for batch, heads, seq_len, window in ((1, 1, 5, 1), (2, 3, 9, 4), (4, 8, 12, 20)):
            documents = (torch.rand(batch, seq_len, generator=generator) < 0.4).cumsum(dim=1)
            sizes = (batch, heads, seq_len, seq_len)
            yield documents, window, *(randint(0, size, (80,)) for size in sizes)
