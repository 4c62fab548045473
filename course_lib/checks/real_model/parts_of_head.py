"""Lesson 16, exercise 3: the rows of one head in a model whose heads share keys and values."""

import torch
from torch import float64

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import cut_off, gradient_fault
from course_lib.checks.real_model.head_row_versions import (
    begins_at_which,
    by_kv_heads,
    columns,
    columns_turned,
    every_nth,
    every_nth_of_sizes,
    group_of,
    in_reverse,
    indexed,
    one_row,
    own_rows,
    piece,
    row_short,
    rows_repeated,
    variant,
    whole_group,
)
from course_lib.model.conversion import separate_heads


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    head_dim = w_q.shape[0] // num_heads
    kv_head = head // (num_heads // num_kv_heads)  # neighbours share
    query = w_q[head * head_dim : (head + 1) * head_dim]  # (head_dim, d_model)
    own = slice(kv_head * head_dim, (kv_head + 1) * head_dim)
    return query, w_k[own], w_v[own]


# --- wrong versions -----------------------------------------------------------------------------


def _reordered(*order):
    def version(*args):
        parts = parts_of_head(*args)
        return tuple(parts[i] for i in order)

    return version


def _key_for_value(w_q, w_k, w_v, *rest):
    return parts_of_head(w_q, w_k, w_k, *rest)


def _value_for_key(w_q, w_k, w_v, *rest):
    return parts_of_head(w_q, w_v, w_v, *rest)


def _transposed(*args):
    return tuple(part.T for part in parts_of_head(*args))


# --- what they are run on -----------------------------------------------------------------------


def _cases(*sizes, dtype=None):
    """(num_heads, num_kv_heads, head_dim, d_model or None for their product, heads) each."""

    def make(generator):
        made = []
        for num_heads, num_kv_heads, head_dim, d_model, heads in sizes:
            d_model = d_model or num_heads * head_dim
            w_q = randn(generator, num_heads * head_dim, d_model).to(dtype)
            w_k, w_v = (
                randn(generator, num_kv_heads * head_dim, d_model).to(dtype) for _ in range(2)
            )
            made += [Case((w_q, w_k, w_v, head, num_heads, num_kv_heads)) for head in heads]
        return made

    return make


TENSORS = ("w_q", "w_k", "w_v")


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, _cases((6, 2, 2, None, (0, 4)))(generator))


_SHAPE = "(head_dim, d_model)"

EXERCISE = Exercise(
    lesson="16",
    number=3,
    reference=parts_of_head,
    returns={"query": _SHAPE, "key": _SHAPE, "value": _SHAPE},
    library=(separate_heads,),
    properties=(
        Property(
            "query holds the head's own head_dim rows of w_q",
            1,
            _cases((3, 1, 2, None, (0, 2)), (6, 2, 2, None, (1, 5))),
            only="query",
        ),
        Property(
            "key and value hold the rows of the key head that it shares with its neighbours",
            2,
            _cases(
                (6, 2, 2, None, (0, 2, 3, 5)), (6, 3, 2, None, (1, 2, 4)), (8, 2, 3, None, (3, 6))
            ),
        ),
        Property(
            "the same holds where each head has its own key head, and where all share one",
            1,
            _cases((3, 3, 2, None, (0, 1, 2)), (4, 1, 3, None, (0, 3)), (1, 1, 4, None, (0,))),
        ),
        Property(
            "head_dim is counted by the rows, whatever d_model is, in float64 too",
            1,
            lambda generator: (
                _cases((6, 3, 2, 5, (1, 4)), (6, 2, 3, 12, (2, 3)), (6, 2, 3, 24, (4,)))(generator)
                + _cases((10, 2, 2, 7, (4, 5)), dtype=float64)(generator)
            ),
        ),
        Property("gradients reach the three matrices", 1, judge=_learns),
    ),
    mistakes=(
        Mistake(
            "dealt_like_cards",
            "You deal the heads out like cards, head % num_kv_heads. Heads that stand next to each "
            "other share: with 9 heads and 3 key heads, heads 0, 1 and 2 share key head 0. That "
            "is head // (num_heads // num_kv_heads).",
            variant(lambda head, num_heads, num_kv_heads: head % num_kv_heads),
        ),
        Mistake(
            "own_number",
            "You look for the keys under the query head's own number. There are only num_kv_heads "
            "key heads, so you run out of rows: num_heads // num_kv_heads query heads share one.",
            variant(lambda head, num_heads, num_kv_heads: head),
            also=(
                variant(lambda head, num_heads, num_kv_heads: min(head, num_kv_heads - 1)),
                variant(lambda head, num_heads, num_kv_heads: head, kv_rows=indexed),
            ),
        ),
        Mistake(
            "divided_by_kv_heads",
            "You divide head by num_kv_heads. What you need is how many query heads share a key "
            "head, num_heads // num_kv_heads. (With 9 heads and 3 key heads both are 3, and "
            "nothing would tell you.)",
            variant(by_kv_heads),
            also=(
                variant(by_kv_heads, kv_rows=indexed),
                variant(lambda head, heads, kv_heads: min(head // kv_heads, kv_heads - 1)),
            ),
        ),
        Mistake(
            "groups_of_three",
            "You let three query heads share, as in SmolLM2. How many do is "
            "num_heads // num_kv_heads.",
            variant(lambda head, num_heads, num_kv_heads: head // 3),
        ),
        Mistake(
            "first_of_the_group",
            "You look for the keys under the number of the group's first query head. The key heads "
            "have numbers of their own, 0 to num_kv_heads - 1.",
            variant(
                lambda head, num_heads, num_kv_heads: (
                    group_of(head, num_heads, num_kv_heads) * (num_heads // num_kv_heads)
                )
            ),
        ),
        Mistake(
            "key_head_0",
            "You take key head 0 for every query head. Only the first num_heads // num_kv_heads of "
            "them use it.",
            variant(lambda head, num_heads, num_kv_heads: 0),
        ),
        Mistake(
            "head_ignored",
            "You take the first head_dim rows of each matrix, whatever head is.",
            variant(lambda *sizes: 0, lambda *sizes: 0),
        ),
        Mistake(
            "key_heads_reversed",
            "You count the key heads from the end. Query head 0 uses key head 0.",
            variant(kv_rows=in_reverse),
        ),
        Mistake(
            "query_of_the_key_head",
            "You take the query from under the number of the key head. Each query head has rows of "
            "its own in w_q; only keys and values are shared.",
            variant(query_head=group_of),
        ),
        Mistake(
            "whole_group",
            "Your query holds the rows of all heads that share a key head. Only those of this head "
            "are asked for.",
            whole_group,
        ),
        Mistake(
            "thin_keys",
            "You cut w_k and w_v into num_heads pieces, so that your keys are too thin for your "
            "query. They hold num_kv_heads heads, each with as many rows as a query head.",
            variant(kv_dim=lambda w_k, num_heads, num_kv_heads: len(w_k) // num_heads),
            also=(
                variant(
                    lambda head, num_heads, num_kv_heads: head,
                    kv_dim=lambda w_k, num_heads, num_kv_heads: len(w_k) // num_heads,
                ),
            ),
        ),
        Mistake(
            "wide_keys",
            "You divide d_model by num_kv_heads to get the rows of a key head. A key head has "
            "head_dim rows, as a query head has: len(w_k) // num_kv_heads.",
            variant(kv_dim=lambda w_k, num_heads, num_kv_heads: w_k.shape[1] // num_kv_heads),
        ),
        Mistake(
            "head_dim_by_key_heads",
            "You divide the rows of w_q by num_kv_heads. They belong to num_heads heads: head_dim "
            "is len(w_q) // num_heads.",
            variant(head_dim=lambda w_q, num_heads, num_kv_heads: len(w_q) // num_kv_heads),
            also=(
                variant(
                    head_dim=lambda w_q, num_heads, num_kv_heads: len(w_q) // num_kv_heads,
                    kv_rows=piece,
                ),
            ),
        ),
        Mistake(
            "head_dim_of_d_model",
            "Your head_dim is d_model // num_heads. That is so in many models and not in all: the "
            "rows say how many there are, len(w_q) // num_heads.",
            variant(head_dim=lambda w_q, num_heads, num_kv_heads: w_q.shape[1] // num_heads),
        ),
        Mistake(
            "d_model_by_key_heads",
            "Your head_dim is d_model // num_kv_heads. Each head, of the queries and of the keys, "
            "has len(w_q) // num_heads rows.",
            variant(head_dim=lambda w_q, num_heads, num_kv_heads: w_q.shape[1] // num_kv_heads),
        ),
        Mistake(
            "sixty_four_rows",
            "You take 64 rows for a head, as SmolLM2 has. How many there are is "
            "len(w_q) // num_heads.",
            variant(head_dim=lambda *sizes: 64),
        ),
        Mistake(
            "columns",
            "You cut columns. torch.nn.Linear stores (out_features, in_features): what comes out "
            "of a head are rows of the matrix.",
            variant(rows=columns),
            also=(variant(rows=columns_turned),),
        ),
        Mistake(
            "interleaved",
            "You take rows that lie apart, one in every few. A head owns head_dim rows that lie "
            "together, from head * head_dim on.",
            variant(rows=every_nth),
            also=(
                variant(rows=every_nth_of_sizes),
                variant(kv_rows=every_nth),
                variant(rows=every_nth, kv_rows=own_rows),
            ),
        ),
        Mistake(
            "rows_repeated",
            "You repeat each row of w_k and w_v by itself and then cut as for the queries. It is "
            "the blocks of head_dim rows that are shared: one and the same row does not fill a "
            "head.",
            rows_repeated,
        ),
        Mistake(
            "begins_too_early",
            "Your rows begin at the head's number. Head i begins at row i * head_dim.",
            variant(rows=begins_at_which),
            also=(variant(kv_rows=begins_at_which),),
        ),
        Mistake(
            "one_row",
            "You return one row of each matrix. A head owns head_dim of them.",
            variant(rows=one_row),
        ),
        Mistake(
            "row_short",
            "You take one row too few. A slice already ends before its end.",
            variant(rows=row_short),
        ),
        Mistake(
            "counted_from_one",
            "You count the heads from 1. The first head is number 0.",
            lambda w_q, w_k, w_v, head, *sizes: parts_of_head(w_q, w_k, w_v, head - 1, *sizes),
        ),
        Mistake("value_from_w_k", "You take the value from w_k. It has w_v.", _key_for_value),
        Mistake("key_from_w_v", "You take the key from w_v. It has w_k.", _value_for_key),
        Mistake(
            "key_value_exchanged",
            "Key and value have changed places. The order is query, key, value.",
            _reordered(0, 2, 1),
        ),
        Mistake(
            "query_key_exchanged",
            "Query and key have changed places. The order is query, key, value.",
            _reordered(1, 0, 2),
        ),
        Mistake(
            "value_first",
            "Your order is value, key, query. It should be query, key, value.",
            _reordered(2, 1, 0),
        ),
        Mistake(
            "query_for_all",
            "You return the query's rows three times. Key and value have matrices of their own.",
            _reordered(0, 0, 0),
        ),
        Mistake(
            "transposed",
            "Your parts are transposed, (d_model, head_dim). Leave the rows as they are stored: "
            "(head_dim, d_model).",
            _transposed,
        ),
        Mistake(
            "cut_off",
            cut_off(*TENSORS),
            lambda *args: tuple(part.detach() for part in parts_of_head(*args)),
        ),
    ),
)
