"""Lesson 14, exercise 5: linear attention in chunks that equal the whole."""

import torch
from torch import float32, float64

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.tensor_watch import TensorWatch, watched
from course_lib.attention.linear import (
    linear_attention,
    linear_attention_chunks,
    linear_attention_step,
)


def sum_in_chunks(query, key, value, chunk_len):
    memory = query.new_zeros(key.shape[1], value.shape[1])
    outputs = []
    for start in range(0, len(key), chunk_len):
        q, k, v = (x[start : start + chunk_len] for x in (query, key, value))
        outputs.append(q @ memory + (q @ k.T).tril() @ v)
        memory = memory + k.T @ v
    return torch.cat(outputs), memory


MISTAKES = """
chunks_alone: q @ memory + ->
    Each of your chunks begins with nothing: earlier ones are never read. Add q @ memory.
memory_alone: + (q @ k.T).tril() @ v ->
    Your queries see nothing of their own chunk. Add what stands in it, up to their own position.
future_in_the_chunk: .tril() ->
    Within a chunk your queries see later tokens. Read the memory before the chunk is written, and
    keep the lower triangle of q @ k.T: tril().
itself_not_seen: tril() -> tril(-1)
    Your queries do not see their own token: your triangle leaves the diagonal out.
triangle_turned: tril() -> triu()
    Your triangle is turned round: within a chunk queries see the later tokens. Take tril().
counted_twice: outputs.append(q @ memory -> outputs.append(q @ (memory + k.T @ v)
    You write the chunk into the memory before its queries read, and they find it twice. Read first.
one_chunk_back: memory + k.T @ v -> k.T @ v
    You replace the memory at each chunk: only the one before is seen. Add to it.
last_token_of_the_chunk: memory + k.T @ v -> memory + k[-1:].T @ v[-1:] || memory + k.T @ v / len(k)
    You write the last token of each chunk into the memory, or their mean. Its sum belongs there:
    k.T @ v.
last_chunk_not_written: , memory -> , memory - k.T @ v
or: memory + k.T @ v -> memory + (k.T @ v if len(k) == chunk_len else 0)
    Your output is right, but the memory lacks the last chunk. Who goes on with the text needs it.
rest_left_out: outputs.append(q @ memory -> outputs.append(q @ (memory if len(q) == chunk_len else \
        0 * memory) && memory + k.T @ v -> memory + (k.T @ v if len(k) == chunk_len else 0)
    Your last and shorter chunk is treated apart: it does not read the memory, or is not written.
softmax: (q @ k.T).tril() -> \
        (q @ k.T).masked_fill(torch.ones(len(q), len(q)).triu(1) > 0, -torch.inf).softmax(dim=-1)
    You send the products of a chunk through a softmax. Here they are summed as they are.
scaled: .tril() -> .tril() / q.shape[1] ** 0.5
    You divide the products within a chunk by the root of key_dim. Here nothing is scaled.
divided: return torch.cat(outputs) -> return torch.cat(outputs) / (query * \
        key.cumsum(dim=0)).sum(dim=-1, keepdim=True)
    You divide by the sum of the weights. In this exercise the sum itself is asked for.
exchanged: torch.cat(outputs), memory -> memory, torch.cat(outputs)
    You return the memory first. The output comes first, then the memory.
whole_table: outputs = [] -> outputs, chunk_len = [], len(key)
    {TABLE}
step_by_step: outputs = [] -> outputs, chunk_len = [], 1
or: lambda query, key, value, chunk_len: ((query[:, None] @ (key[:, :, None] * value[:, \
        None]).cumsum(0))[:, 0], key.T @ value)
    {STEPS}
"""


def _cases(*sizes, dtype=float32):
    """(length, key_dim, value_dim, chunk_len) each."""

    def make(generator):
        for length, key_dim, value_dim, chunk_len in sizes:
            query, key = (
                randn(generator, length, key_dim, dtype=dtype).abs() + 0.1 for _ in range(2)
            )
            value = randn(generator, length, value_dim, dtype=dtype)
            yield Case((query, key, value, chunk_len))

    return make


TABLE = (
    "Your numbers are right, and you hold a table of all tokens by all tokens. Take the products "
    "of one chunk at a time, and let the memory stand for the chunks before."
)


STEPS = (
    "Your numbers are right, and you go token by token, or make a memory for each. Take the "
    "products of a whole chunk at once, and write it into the memory by one product of matrices."
)


class _Watch(TensorWatch):
    """Counts the memories that are made, too."""

    memories = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = super().__torch_function__(function, types, args, kwargs)
        if isinstance(result, torch.Tensor) and result.shape[-2:] == (3, 5):
            self.memories += result.numel() // (3 * 5)
        return result


def _one_chunk_at_a_time(function):
    (case,) = _cases((48, 3, 5, 8))(torch.Generator(device="cpu").manual_seed(0))
    watch = watched(_Watch(), EXERCISE, function, case.args)
    if watch.largest >= 48 * 48:
        return TABLE, ""
    return (STEPS, "") if watch.memories >= 2 * 48 else None


EXERCISE = Exercise(
    reference=sum_in_chunks,
    returns={"output": "(length, value_dim)", "memory": "(key_dim, value_dim)"},
    library=(linear_attention, linear_attention_step, linear_attention_chunks),
    properties=(
        Property(
            "the output is that of the whole sum", 1, _cases((4, 2, 3, 2), (9, 3, 2, 3)), "output"
        ),
        Property(
            "at the end the memory holds all tokens",
            1,
            _cases((4, 2, 3, 2), (9, 3, 2, 3)),
            "memory",
        ),
        Property(
            "the last chunk may be shorter", 1, _cases((5, 2, 3, 2), (7, 3, 2, 4), (8, 2, 2, 3))
        ),
        Property(
            "chunks of one token, one chunk for all, and float64",
            1,
            all_of(
                _cases((3, 2, 3, 1), (5, 3, 2, 5), (4, 2, 3, 9)),
                _cases((5, 2, 3, 2), dtype=float64),
            ),
        ),
        Property(
            "a chunk is taken at once, and no table of all tokens is made",
            1,
            judge=_one_chunk_at_a_time,
            measured_inside=True,
        ),
    ),
    mistakes=MISTAKES,
)
