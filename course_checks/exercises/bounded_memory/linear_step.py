"""Lesson 14, exercise 3: one step of linear attention with a state of fixed size."""

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_lib.attention.linear import (
    linear_attention,
    linear_attention_chunks,
    linear_attention_step,
)


def linear_step(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]  # (heads, key_dim, value_dim)
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]  # (heads, value_dim)
    return mixed / (query * total).sum(dim=-1, keepdim=True), memory, total


MISTAKES = """
reads_first: @ memory -> @ (memory - key[:, :, None] * value[:, None, :]) && (query * total) -> \
        (query * (total - key))
or: @ memory -> @ (memory - key[:, :, None] * value[:, None, :]) && (query * total).sum(dim=-1, \
        keepdim=True) -> (query * (total - key)).sum(dim=-1, keepdim=True).clamp(min=1e-9)
    You read before you write. A token sees itself: its key and value go in first.
old_total: (query * total) -> (query * (total - key))
or: (query * total).sum(dim=-1, keepdim=True) -> (old := (query * (total - key)).sum(-1, \
        True)).where(old != 0, 1)
    You divide by the sum without the new key, while its value is in the memory already. Add it
    first.
clamped: .sum(dim=-1, keepdim=True) -> .sum(dim=-1, keepdim=True).clamp(min=1)
    You divide by 1 at least. The weights may sum to less: divide by what they sum to.
not_divided: / (query * total).sum(dim=-1, keepdim=True) ->
    You do not divide. The output is a mean of the values: divide by the weights' sum, query .
    total.
divided_by_own_weight: (query * total) -> (query * key)
    You divide by the weight of the new token, query . key. All so far have weight: query . total.
divided_by_total: (query * total) -> total
    You divide by the sum of total. How much weight there is depends on the query: query . total.
over_all_heads: .sum(dim=-1, keepdim=True) -> .sum()
    You divide by the sum over all heads. Each head has its own.
memory_replaced: memory + key[ -> key[ || total + key -> key.clone()
or: memory + key[ -> key[ && total + key -> key.clone()
    You replace memory or total by what the new token brings, and the earlier ones are lost. Add.
total_unchanged: total + key -> total.clone()
    You never add the new key to total.
queries_summed: total + key -> total + query
    You add the query to total. It is the sum of the keys so far: add the key.
counts_tokens: total + key -> total + 1
    You add 1 to total for each token. What is summed are the keys.
old_state_returned: , memory, total -> , memory - key[:, :, None] * value[:, None, :], total - key
    Your output is right, but you return the state as it was before, without this token.
written_with_the_query: key[:, :, None] -> query[:, :, None] && total + key -> total + query
    You write under the query. What is written stands under the key; the query reads.
read_with_the_key: query[:, None, :] @ -> key[:, None, :] @ && (query * total) -> (key * total)
    You read with the key. The query asks; the key only says where the value goes.
query_and_key_exchanged: lambda memory, total, query, key, value: \
        linear_step(memory, total, key, query, value)
or: key[:, :, None] -> query[:, :, None] && query[:, None, :] -> key[:, None, :] && \
        query * total -> key * total
    You write under the query and read with the key. The key says where the value goes, and the
    query asks.
transposed: key[:, :, None] * value[:, None, :] -> value[:, :, None] * key[:, None, :]
or: key[:, :, None] * value[:, None, :] -> value[:, :, None] * key[:, None, :] && \
        (query[:, None, :] @ memory)[:, 0] -> (memory @ query[:, :, None])[..., 0]
    Your outer product is value times key: memory[i, j] should grow by key[i] * value[j].
read_transposed: (query[:, None, :] @ memory)[:, 0] -> (memory @ query[:, :, None])[..., 0]
    You read along the other axis, memory times query. Number j of the output is the sum of
    query[i] * memory[i, j] over i: query times memory.
softmax: memory = memory -> query, key = query.softmax(dim=-1), key.softmax(dim=-1); memory = memory
    You send query and key through a softmax. They are features already, and there is no softmax
    here.
mapped_again: memory = memory -> query, key = F.elu(query) + 1, F.elu(key) + 1; memory = memory
    You apply the feature map elu + 1. query and key come with it applied.
"""


def _features(generator, *shape):
    return randn(generator, *shape).abs() + 0.1


def _cases(*sizes, past=3, spread=1.0):
    """(heads, key_dim, value_dim) each, with ``past`` tokens in the state."""

    def make(generator):
        for heads, key_dim, value_dim in sizes:
            keys = spread * _features(generator, heads, past, key_dim)
            memory = keys.transpose(1, 2) @ randn(generator, heads, past, value_dim)
            new = [spread * _features(generator, heads, key_dim) for _ in range(2)]
            total = keys.sum(dim=1)
            label = f"{past} tokens in the state" if past else "nothing in the state"
            args = (memory, total, *new, randn(generator, heads, value_dim))
            yield Case(args, label=label)

    return make


EXERCISE = Exercise(
    reference=linear_step,
    returns={
        "output": "(heads, value_dim)",
        "memory": "(heads, key_dim, value_dim)",
        "total": "(heads, key_dim)",
    },
    library=(linear_attention, linear_attention_step, linear_attention_chunks),
    properties=(
        Property("the first token gets its own value", 1, _cases((1, 2, 3), (2, 3, 3), past=0)),
        Property(
            "the new token is written behind the others, and read with them",
            2,
            _cases((1, 2, 3), (2, 3, 3), (3, 4, 2)),
        ),
        Property(
            "the state that is returned is the one to go on with",
            1,
            all_of(_cases((2, 2, 2), (1, 5, 1), past=7), _cases((2, 2, 3), spread=0.1)),
        ),
    ),
    mistakes=MISTAKES,
)
