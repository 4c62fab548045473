"""The rings on which ``ring_output`` of lesson 15, exercise 5 is run."""

import itertools
import math

from torch import inf

from course_checks.exercise import Case, randn
from course_checks.judge.feedback import count_of, number


def _chunks(generator, n, size, head_dim, value_dim, spread=1.0):
    return (
        spread * randn(generator, size, head_dim),
        randn(generator, n, size, head_dim),
        randn(generator, n, size, value_dim),
    )


def _in_words(chunks):
    rows = (", ".join(map(number, row)) for row in chunks.flatten(0, 1).tolist())
    return " and ".join(f"({row})" for row in rows)


def ring_cases(is_causal, *sizes, spread=1.0, poisoned=False):
    """(devices, tokens of each, head_dim, value_dim) each, for every rank."""

    def make(generator):
        for n, size, head_dim, value_dim in sizes:
            for rank in range(n):
                query, keys, values = _chunks(generator, n, size, head_dim, value_dim, spread)
                label = f"device {rank} of {n}, {count_of(size, 'token')} each"
                if not is_causal and keys.numel() + values.numel() <= 6:  # no table shows them
                    label += f", keys {_in_words(keys)}, values {_in_words(values)}"
                if poisoned:
                    keys[rank + 1 :], values[rank + 1 :] = inf, inf
                    label += ", later keys and values are infinite"
                yield Case((query, keys, values, rank, is_causal), label=label)

    return make


def one_large_score(n, size, head_dim, value_dim):
    """For every rank, each chunk once has the one large score: the first to come, or a later."""

    def make(generator):
        for rank, large in itertools.product(range(n), repeat=2):
            query, keys, values = _chunks(generator, n, size, head_dim, value_dim)
            keys[large, 0] = query[0] * 400 * math.sqrt(head_dim) / query[0].square().sum()
            label = f"device {rank} of {n}, one score of 400 on device {large}"
            yield Case((query, keys, values, rank, False), label=label)

    return make
