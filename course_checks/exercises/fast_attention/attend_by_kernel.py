"""Lesson 12, exercise 7: flash attention's forward pass, as a kernel in Triton."""

from unittest import mock

import numpy as np
import torch

from course_checks.exercise import TORCH_ATTENTION, Case, Exercise, MissingPackage, Property, randn
from course_checks.judge.calling import call
from course_lib.attention.kernels import (
    IS_INTERPRETED,
    MISSING,
    attend_with,
    tl,
    triton,
)
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.attention.tiled import tiled_attention

if triton is None:
    raise MissingPackage(MISSING)


def attend_by_kernel(query, key, value, is_causal):
    def kernel(
        query,
        key,
        value,
        output,
        query_head,
        query_row,
        key_head,
        key_row,
        value_head,
        value_row,
        output_head,
        output_row,
        query_len,
        key_len,
        scale,
        IS_CAUSAL: tl.constexpr,
        HEAD_DIM: tl.constexpr,
        VALUE_DIM: tl.constexpr,
        BLOCK: tl.constexpr,
    ):
        block, head = tl.program_id(0), tl.program_id(1)
        rows = block * BLOCK + tl.arange(0, BLOCK)
        i, o = tl.arange(0, HEAD_DIM)[None, :], tl.arange(0, VALUE_DIM)[None, :]
        is_row = rows[:, None] < query_len
        q = tl.load(query + head * query_head + rows[:, None] * query_row + i, mask=is_row)
        maximum = tl.full((BLOCK,), float("-inf"), tl.float32)
        total = tl.zeros((BLOCK,), tl.float32)
        weighted = tl.zeros((BLOCK, VALUE_DIM), tl.float32)
        end = key_len
        if IS_CAUSAL:
            end = tl.minimum((block + 1) * BLOCK, key_len)
        for start in range(0, end, BLOCK):
            cols = start + tl.arange(0, BLOCK)
            at, is_key = cols[:, None], cols[:, None] < key_len
            k = tl.load(key + head * key_head + at * key_row + i, mask=is_key, other=0.0)
            v = tl.load(value + head * value_head + at * value_row + o, mask=is_key, other=0.0)
            scores = tl.dot(q, tl.trans(k)) * scale
            sees = cols[None, :] < key_len
            if IS_CAUSAL:
                sees = sees & (cols[None, :] <= rows[:, None])
            scores = tl.where(sees, scores, float("-inf"))
            new = tl.maximum(maximum, tl.max(scores, 1))
            shrink, numerators = tl.exp(maximum - new), tl.exp(scores - new[:, None])
            total = total * shrink + tl.sum(numerators, 1)
            weighted = weighted * shrink[:, None] + tl.dot(numerators.to(v.dtype), v)
            maximum = new
        place = output + head * output_head + rows[:, None] * output_row + o
        tl.store(place, weighted / total[:, None], mask=is_row)

    return attend_with(kernel, query, key, value, is_causal=is_causal)


MISTAKES = """
total_not_shrunk: total * shrink -> total
    You add to the total without bringing it to the new maximum. Multiply what is kept by
    exp(old - new) first.
output_not_shrunk: weighted * shrink[:, None] -> weighted
    You add to the weighted values without bringing them to the new maximum. Multiply what is kept
    by exp(old - new), as the total.
maximum_of_the_block: tl.maximum(maximum, tl.max(scores, 1)) -> tl.max(scores, 1) && \
        total * shrink -> total && weighted * shrink[:, None] -> weighted
or: tl.maximum(maximum, tl.max(scores, 1)) -> tl.max(scores, 1)
    Your maximum is that of this block of keys alone. It is the largest score of all blocks so far.
    (Python's max cannot compare tiles; tl.maximum does.)
nothing_shrunk: total * shrink -> total && weighted * shrink[:, None] -> weighted
or: total * shrink -> total && weighted * shrink[:, None] -> weighted && \
        sees = cols[None, :] < key_len -> sees = cols[None, :] >= 0
or: total * shrink -> total && weighted * shrink[:, None] -> weighted && \
        numerators.to(v.dtype) -> numerators
or: total * shrink -> total && weighted * shrink[:, None] -> weighted && \
        sees = cols[None, :] < key_len -> sees = cols[None, :] >= 0 && \
        numerators.to(v.dtype) -> numerators
    You never bring total and weighted to the new maximum: multiply both by exp(old - new).
row_meets_column: tl.exp(scores - new[:, None]) -> tl.exp(scores - new)
or: weighted * shrink[:, None] -> weighted * shrink
or: tl.exp(scores - new[:, None]) -> tl.exp(scores - new) && weighted * shrink[:, None] -> \
        weighted * shrink
    new and shrink hold one number for each row. Beside a tile write [:, None], or they meet its
    columns.
maximum_not_kept: maximum = new -> maximum = maximum
    You never keep the new maximum, so that each block of keys wipes out those before it.
ragged_end_seen: sees = cols[None, :] < key_len -> sees = cols[None, :] >= 0
or: sees = cols[None, :] < key_len -> sees = cols[None, :] >= 0 && \
        numerators.to(v.dtype) -> numerators
    Behind the last key your scores count as 0, and 0 is a score like others. Give columns from
    key_len on minus infinity.
loads_beyond: mask=is_key, other=0.0 => mask=at >= 0, other=0.0
or: weighted * shrink[:, None] + tl.dot(numerators.to(v.dtype), v) -> weighted * shrink[:, None] + \
        tl.dot(numerators.to(v.dtype), v) && value_row + o, mask=is_key, other=0.0 -> value_row + o
or: key_row + i, mask=is_key, other=0.0 -> key_row + i
    {BEYOND}
scale_forgotten: * scale ->
    Your scores are not multiplied by scale, which is 1 / sqrt(head_dim).
bound_too_short: (block + 1) * BLOCK -> block * BLOCK
    With is_causal your loop ends one block too early: a block of queries sees its own block of keys
    too. It ends at (block + 1) * BLOCK.
bound_missing: end = tl.minimum((block + 1) * BLOCK, key_len) -> end = key_len
    {UNBOUNDED}
half_precision: tl.dot(numerators.to(v.dtype), v) -> (tl.dot(numerators.to(v.dtype), v)).to( \
        v.dtype) && maximum = new -> weighted, maximum = weighted.to(v.dtype), new
or: tl.sum(numerators, 1) -> tl.sum(numerators.to(v.dtype), 1) && maximum = new -> \
        total, weighted, maximum = total.to(v.dtype), weighted.to(v.dtype), new
    You keep the sums in float16 where the inputs are float16: beyond 65504 they are infinite. Keep
    total and weighted in float32.
not_divided: weighted / total[:, None] -> weighted
    You store the weighted values. Divide each row by its total.
diagonal_seen_whole: sees & (cols[None, :] <= rows[:, None]) -> sees
    With is_causal the tile on the diagonal still needs a mask: a query sees columns up to its row.
hides_itself: cols[None, :] <= rows[:, None] -> (cols[None, :] < rows[:, None]) | \
        ((cols[None, :] == 0) & (rows[:, None] == 0))
or: <= rows[:, None] -> < rows[:, None]
    With is_causal you hide a token from itself too. It sees columns up to its own row.
strides_ignored: rows[:, None] * query_row -> rows[:, None] * HEAD_DIM && at * key_row -> \
        at * HEAD_DIM && at * value_row -> at * VALUE_DIM && rows[:, None] * output_row -> \
        rows[:, None] * VALUE_DIM
or: rows[:, None] * query_row -> rows[:, None] * HEAD_DIM && at * key_row -> \
        at * HEAD_DIM && at * value_row -> at * VALUE_DIM
    You take it that rows lie one behind the other. From one row to the next it is query_row,
    key_row, value_row or output_row numbers.
one_head_for_all: head * query_head -> 0 && head * key_head -> 0 && head * value_head -> 0
    Each of your programs reads head 0. Program (block, head) begins at head * query_head, and so
    on.
head_offset_forgotten: head * output_head -> 0
or: head * query_head -> 0
or: head * key_head -> 0
or: head * value_head -> 0
    One of your four places begins at head 0 in every program. Query, key, value and output each
    begin at head times the step between their own heads.
no_kernel: lambda *inputs: _without_a_kernel(*inputs)
    {NO_KERNEL}
features_of_queries: tl.arange(0, VALUE_DIM) -> tl.arange(0, HEAD_DIM) && (BLOCK, VALUE_DIM) -> \
        (BLOCK, HEAD_DIM)
    You load and store HEAD_DIM features of each value. A value has VALUE_DIM.
"""

BEYOND = (
    "Your kernel reads rows behind the last one of its tensors. On a GPU that is somebody else's "
    "memory: give each tl.load a mask, rows below query_len and columns below key_len."
)
UNBOUNDED = (
    "Your numbers are right, and with is_causal your loop goes over keys that lie after the whole "
    "block of queries. End it at (block + 1) * BLOCK."
)
NO_KERNEL = (
    "Your numbers are right, and no kernel made them: your function must hand a kernel, which "
    "loads its tiles with tl.load, to attend_with."
)


def _without_a_kernel(query, key, value, is_causal):
    scores = query.float() @ key.float().mT / query.shape[-1] ** 0.5
    if is_causal:
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
    return scores.softmax(dim=-1) @ value.float()


def _reads_what_it_may(function):
    """The rows behind the last are nan, and no other number is: who loads nan has read them."""
    if not IS_INTERPRETED:
        return None
    from triton.runtime.interpreter import InterpreterBuilder

    original, loaded_nan = InterpreterBuilder.create_masked_load, []

    def load(builder, *arguments):
        loaded = original(builder, *arguments)
        loaded_nan.append(np.isnan(loaded.data.astype(np.float32)).any())
        return loaded

    generator = torch.Generator(device="cpu").manual_seed(0)
    ragged = *(randn(generator, 1, 5, 16) for _ in range(3)), False
    with mock.patch.object(InterpreterBuilder, "create_masked_load", load):
        call(EXERCISE, function, ragged, 0)
    if not loaded_nan:
        return NO_KERNEL, ""
    return (BEYOND, "") if any(loaded_nan) else None


def _skips_the_future(function):
    """The last keys are nan: a program that computes with them has nan in its rows."""
    generator = torch.Generator(device="cpu").manual_seed(0)
    query, key, value = (randn(generator, 1, 32, 16) for _ in range(3))
    key[:, 16:], value[:, 16:] = float("nan"), float("nan")
    outcome = call(EXERCISE, function, (query, key, value, True), 0)
    if outcome.answer is None:
        return None
    return (UNBOUNDED, "") if outcome.answer["output"][:, :16].isnan().any() else None


def _cases(is_causal, *sizes):
    return lambda generator: [
        Case(
            (
                randn(generator, heads, queries, 16),
                randn(generator, heads, keys, 16),
                randn(generator, heads, keys, value_dim),
                is_causal,
            ),
            label=f"{queries} queries, {keys} keys, heads: {heads}",
        )
        for heads, queries, keys, value_dim in sizes
    ]


def _large(generator):
    query, key, value = (randn(generator, 1, 40, 16) for _ in range(3))
    return [Case((40 * query, 40 * key, value, False), label="scores of some hundreds")]


def _halves(generator):
    """Equal scores, whose numerators are 1, so that no rounding but that of the sums counts."""
    query, key = torch.zeros(1, 2, 16), randn(generator, 1, 40, 16)
    value = 4000 + 100 * randn(generator, 1, 40, 16)
    halves = (tensor.half() for tensor in (query, key, value))
    return [Case((*halves, False), label="inputs in float16, values of some thousands")]


EXERCISE = Exercise(
    reference=attend_by_kernel,
    returns={"output": "(num_heads, query_len, value_dim)"},
    library=(tiled_attention, scaled_dot_product_attention),
    forbidden=(TORCH_ATTENTION,),
    dtype=torch.float32,
    package="triton",
    properties=(
        Property("blocks that are full", 2, _cases(False, (1, 16, 16, 16), (1, 16, 32, 16))),
        Property(
            "lengths that are no multiple of the block, and a single key",
            2,
            _cases(False, (1, 3, 1, 16), (1, 5, 20, 16)),
        ),
        Property("heads side by side, values wider than queries", 1, _cases(False, (2, 4, 18, 32))),
        Property("with is_causal no token sees a later one", 2, _cases(True, (1, 20, 20, 16))),
        Property("large scores do not overflow", 1, _large),
        Property("sums in float32 for inputs in float16", 1, _halves),
        Property(
            "a kernel loads the tiles, and nothing behind their end",
            1,
            judge=_reads_what_it_may,
            measured_inside=True,
        ),
        Property("with is_causal the loop ends in time", 1, judge=_skips_the_future),
    ),
    mistakes=MISTAKES,
)
