"""Lesson 05, exercise 1: who may attend to whom when nobody may look ahead."""

import torch
from torch import ones

from course_checks.exercise import Case, Exercise, Property
from course_lib.attention import masks


def causal_mask(query_len, key_len):
    return ones(query_len, key_len, dtype=torch.bool).tril(diagonal=key_len - query_len)


MISTAKES = """
upper: tril -> triu
    Your mask is True above the diagonal: each position may attend to itself and to the later ones.
    Row i is query i, and the earlier keys stand to its left (tril).
inverted: tril(diagonal=key_len - query_len) -> triu(diagonal=key_len - query_len + 1)
or: tril(diagonal=key_len - query_len) -> triu(diagonal=1)
    Your mask is True where a key is blocked. That is the convention of nn.MultiheadAttention; in
    this course, and in F.scaled_dot_product_attention, True means may attend.
without_itself: diagonal=key_len - query_len -> diagonal=key_len - query_len - 1
    No position may attend to itself in your mask. The first one then has nothing to attend to, and
    its softmax is 0/0: the diagonal is allowed.
one_ahead: diagonal=key_len - query_len -> diagonal=key_len - query_len + 1
    Each position may attend to the one after it, which is the very token that a language model has
    to predict: the diagonal is the last that is allowed.
aligned_to_start: diagonal=key_len - query_len ->
    Your mask is aligned to the start when there are more keys than queries: a new token with cached
    keys would see key 0 only. The queries are the last positions, so query 0 stands at position
    key_len - query_len.
shifted_left: key_len - query_len -> query_len - key_len
    You move the diagonal to the wrong side: with more keys than queries each query must see more
    keys, not fewer. tril(diagonal=1) allows one more key to the right.
everything: .tril(diagonal=key_len - query_len) ->
    Your mask allows everything: True everywhere blocks nothing.
transposed: lambda query_len, key_len: torch.arange(query_len) <= torch.arange(key_len)[:, None]
or: lambda *lengths: causal_mask(*lengths).transpose(0, 1)
    Your rows are the keys: the mask should be (query_len, key_len), a row per query.
keys_only: query_len, key_len, -> key_len, key_len, && diagonal=key_len - query_len ->
    Your mask has a row for each key. It should have a row for each query: (query_len, key_len).
additive: lambda *lengths: torch.zeros(*lengths).masked_fill(~causal_mask(*lengths), -torch.inf)
    Your mask holds 0 and minus infinity: numbers to be added to the scores. Here the mask is
    boolean, True = may attend.
from_a_table: _from_table(64) || _from_table(128) || _from_table(256) || _from_table(512) || \
        _from_table(1024) || _from_table(2048)
    You cut your mask out of a table of a fixed size. A longer text runs out of it: make the mask
    from the two lengths.
square_of_queries: query_len, key_len, -> query_len, query_len, && diagonal=key_len - query_len ->
    Your mask is (query_len, query_len). It needs a column for each key: (query_len, key_len).
cached_hidden: _cached_beside(torch.zeros, first=True)
    Your queries see the new tokens only. The keys before them are the past, which every query may
    attend to.
cached_behind: _cached_beside(ones, first=False)
    You put the keys of the earlier tokens behind those of the new ones. They came first: their
    columns stand on the left.
all_when_cached: _all_when_cached
    With more keys than queries you block nothing. One new token may see all keys; of several, the
    first may not see those after it.
all_rows_of_none: ones(query_len, key_len, dtype=torch.bool).tril(diagonal=key_len - query_len) -> \
        ones(key_len, key_len, dtype=torch.bool).tril()[-query_len:]
    Where there is no query your mask has rows all the same: [-0:] cuts nothing off. Begin at row
    key_len - query_len instead.
more_dimensions: key_len - query_len) -> key_len - query_len)[None, None]
or: key_len - query_len) -> key_len - query_len)[None]
    Your mask has dimensions for the batch and the heads as well. Two are asked for, (query_len,
    key_len): broadcasting adds the others.
lists: key_len - query_len) -> key_len - query_len).tolist()
    You return a list of lists. A mask is a tensor: torch.tensor(rows) makes one of it.
"""


def _between(low, high, generator):
    return int(torch.randint(low, high + 1, (), generator=generator, device="cpu"))


def _square(generator):
    length = _between(4, 7, generator)
    return [Case((2, 2)), Case((3, 3)), Case((length, length))]


def _cached(generator):
    queries, more = _between(3, 5, generator), _between(2, 4, generator)
    long = _between(2050, 2100, generator)  # no table of a fixed size holds all lengths
    return [
        Case((2, 4)),
        Case((1, 4)),
        Case((queries, queries + more)),
        Case((2, long)),
        Case((0, 3)),
    ]


def _from_table(size):
    """A version that cuts the mask out of a triangle of a fixed size."""

    def version(query_len, key_len):
        table = causal_mask(size, size)
        return table[key_len - query_len : key_len, :key_len]

    return version


def _cached_beside(of_cached, first):
    """A version with a triangle for the new tokens beside a block for the cached keys."""

    def version(query_len, key_len):
        block = of_cached(query_len, key_len - query_len, dtype=torch.bool)
        parts = (block, causal_mask(query_len, query_len))
        return torch.cat(parts if first else parts[::-1], dim=1)

    return version


def _all_when_cached(query_len, key_len):
    if key_len > query_len:
        return ones(query_len, key_len, dtype=torch.bool)
    return causal_mask(query_len, key_len)


EXERCISE = Exercise(
    reference=causal_mask,
    returns={"mask": "(query_len, key_len)"},
    library=(masks.causal_mask,),
    dtype=torch.bool,
    properties=(
        Property(
            "with as many keys as queries, query i may attend to the keys 0 to i and no others",
            2,
            _square,
        ),
        Property(
            "with more keys, the queries are the last positions: the last one may attend to all",
            2,
            _cached,
        ),
    ),
    mistakes=MISTAKES,
)
