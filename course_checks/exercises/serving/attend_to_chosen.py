"""Lesson 17, exercise 6: attention to k chosen keys, one choice for all heads."""

import math

import torch
from torch._C._functorch import get_unwrapped, is_functorch_wrapped_tensor
from torch.overrides import TorchFunctionMode

from course_checks.exercise import TORCH_ATTENTION, Case, Exercise, Mistake, Property, randn
from course_checks.tensor_watch import PRODUCTS, name_of, watched
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention


def attend_to_chosen(query, key, value, index_scores, k):
    length = key.shape[1]
    future = torch.ones(length, length, dtype=torch.bool).triu(1)
    best = index_scores.masked_fill(future, -math.inf).topk(min(k, length), dim=1)
    is_past = best.values > -math.inf  # (length, k): the first queries have fewer than k
    keys, values = key[:, best.indices], value[:, best.indices]  # (heads, length, k, features)
    scores = (query[:, :, None] * keys).sum(dim=-1) / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~is_past, -math.inf).softmax(dim=-1)
    output = (weights[..., None] * values).sum(dim=2)
    return output, torch.zeros_like(future).scatter(1, best.indices, is_past)


MISTAKES = """
future_chosen: masked_fill(future, -math.inf).topk -> topk
    You choose among all keys, the later ones too. A query may see its own token and those before
    it: hide the future before you choose.
future_hidden_too_late: masked_fill(future, -math.inf).topk -> topk && \
        is_past = best.values > -math.inf -> is_past = ~future.gather(1, best.indices) && \
        softmax(dim=-1) -> softmax(dim=-1).nan_to_num()
or: masked_fill(future, -math.inf).topk -> topk && \
        is_past = best.values > -math.inf -> is_past = ~future.gather(1, best.indices)
    You choose among all keys and hide the later ones afterwards. They have taken places among the
    k: hide the future before you choose.
future_fills_up: masked_fill(~is_past, -math.inf).softmax -> softmax
or: masked_fill(~is_past, -math.inf).softmax -> softmax && \
        scatter(1, best.indices, is_past) -> scatter(1, best.indices, True)
    A query near the beginning has fewer than k keys, and you fill up with later ones. It sees all
    that it has, and no more.
itself_always: index_scores.masked_fill(future, -math.inf) -> \
        index_scores.masked_fill(future, -math.inf).masked_fill(torch.eye(length).bool(), 1e9)
    Your queries always see their own token. It is chosen by its score, like the others.
the_last_ones: index_scores.masked_fill(future, -math.inf) -> \
        (0 * index_scores + torch.arange(length)).masked_fill(future, -math.inf)
    You take the last k keys. That is a window: which keys are seen, the index scores say.
the_lowest: index_scores.masked_fill -> (-index_scores).masked_fill
    You choose the keys with the lowest scores. Take the highest.
one_too_few: topk(min(k, length) -> topk(min(max(k - 1, 1), length)
    You choose one key less than k.
one_too_many: topk(min(k, length) -> topk(min(k + 1, length)
    You choose one key more than k.
rows_and_columns: index_scores.masked_fill -> index_scores.T.masked_fill
    You read the index scores by columns. Row i has what query i wants of each key.
one_choice_for_all: index_scores.masked_fill -> \
        index_scores.mean(dim=0).expand(length, length).masked_fill
or: index_scores.masked_fill -> index_scores[-1].expand(length, length).masked_fill
    You take one choice for all queries. One choice serves all heads; each query has its own.
by_the_first_head: index_scores.masked_fill -> (query[0] @ key[0].T).masked_fill
    You choose by the first head's own scores. The choice is the indexer's, or nothing is saved.
by_all_heads: index_scores.masked_fill -> torch.einsum("hqd,hkd->qk", query, key).masked_fill
    You choose by the heads' own scores. The choice is the indexer's, or nothing is saved.
by_each_head: _by_each_head(lambda chosen: chosen.any(dim=0)) || \
        _by_each_head(lambda chosen: chosen[0]) || _by_each_head(lambda chosen: chosen)
    Each of your heads chooses keys by its own scores. One choice serves all heads, and the index
    scores make it.
mixed_by_the_indexer: scores.masked_fill(~is_past, -math.inf) -> \
        (0 * scores + best.values).masked_fill(~is_past, -math.inf)
    You weigh the chosen keys by the index scores. These say which keys are seen; how much each
    counts, queries and keys say.
added_to_the_scores: scores.masked_fill(~is_past, -math.inf) -> \
        (scores + best.values).masked_fill(~is_past, -math.inf)
    You add the index scores to the attention scores. They only choose.
not_scaled: / math.sqrt(query.shape[-1]) ->
    You do not divide the scores by the square root of head_dim.
softmax_elsewhere: softmax(dim=-1) -> softmax(dim=1)
    Your softmax runs over the queries. The weights of one query over its chosen keys add up to 1.
keys_for_values: values).sum(dim=2) -> keys).sum(dim=2)
    You mix the keys. What is mixed are the values of the chosen keys.
cut_behind_the_softmax: _cut_behind
    You take the softmax over all keys and cut afterwards, so the weights that are left do not add
    up to 1. Choose first: the softmax runs over the chosen keys.
"""


def _table(query, key, index_scores, k):
    """The scores of all keys, and which of them are chosen."""
    future = torch.ones_like(index_scores, dtype=torch.bool).triu(1)
    best = index_scores.masked_fill(future, -math.inf).topk(min(k, len(future)), dim=1)
    chosen = torch.zeros_like(future).scatter(1, best.indices, best.values > -math.inf)
    return (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(future, -math.inf), chosen


def _cut_behind(query, key, value, index_scores, k):
    scores, chosen = _table(query, key, index_scores, k)
    return scores.softmax(dim=-1) * chosen @ value, chosen


def _by_each_head(join):
    def version(query, key, value, index_scores, k):
        scores = query @ key.mT + 0 * index_scores
        heads = zip(query, key, value, scores, strict=True)
        answers = [
            attend_to_chosen(*(part[None] for part in head[:3]), head[3], k) for head in heads
        ]
        return torch.cat([output for output, _ in answers]), join(
            torch.stack([chosen for _, chosen in answers])
        )

    return version


def _mask(query, key, value, index_scores, k):
    scores, chosen = _table(query, key, index_scores, k)
    return scores.masked_fill(~chosen, -math.inf).softmax(dim=-1) @ value, chosen


ALL_KEYS = (
    "Your numbers are right, and you compute the score of every query with every key, to hide most "
    "of them. Then nothing is saved: gather the chosen keys and values first, and compute k scores "
    "for each query."
)
HEADS, LENGTH, CHOSEN = 3, 17, 2


class _Watch(TorchFunctionMode):
    """Notes whether a score of each query and each key was computed, in one head or in all: in a
    table, or row by row, where the products have as many numbers as there are past keys."""

    def __init__(self):
        super().__init__()
        self.has_table, self.computed = False, 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = answer = function(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor) and result.is_floating_point():
            while is_functorch_wrapped_tensor(result):  # in vmap, which shows one row of all
                result = get_unwrapped(result)
            is_square = list(result.shape).count(LENGTH) >= 2
            held = result.untyped_storage().nbytes() // result.element_size()
            is_product = name_of(function) in PRODUCTS | {"sum"}
            large = held >= HEADS * LENGTH * LENGTH and result.numel() <= held
            self.computed += is_product * result.numel()
            self.has_table |= is_square and (is_product or large)
            self.has_table |= self.computed >= HEADS * LENGTH * (LENGTH + 1) // 2
        return answer


def _chosen_keys_alone(function):
    (case,) = _cases((HEADS, LENGTH, 4, 5, CHOSEN))(torch.Generator(device="cpu").manual_seed(0))
    return (ALL_KEYS, "") if watched(_Watch(), EXERCISE, function, case.args).has_table else None


def _cases(*sizes):
    """(heads, length, head_dim, value_dim, k) each."""

    def make(generator):
        for heads, length, head_dim, value_dim, k in sizes:
            query, key = (randn(generator, heads, length, head_dim) for _ in range(2))
            value = randn(generator, heads, length, value_dim)
            wanted = randn(generator, length, length)
            label = f"{length} tokens, {heads} heads, k = {k}"
            yield Case((query, key, value, wanted, k), label=label)

    return make


EXERCISE = Exercise(
    reference=attend_to_chosen,
    returns={
        "output": "(heads, length, value_dim)",
        "chosen": "(length, length), True where a query sees a key",
    },
    library=(scaled_dot_product_attention,),
    forbidden=(TORCH_ATTENTION,),
    properties=(
        Property(
            "each query sees the k keys that the index scores put first, of those in its past",
            2,
            _cases((1, 5, 2, 3, 2), (2, 7, 3, 2, 3), (3, 11, 4, 5, 4)),
            "chosen",
        ),
        Property(
            "all heads mix the values of these keys by their own weights",
            2,
            _cases((1, 4, 3, 2, 2), (2, 6, 4, 3, 3), (4, 9, 2, 6, 5)),
        ),
        Property(
            "k may be 1, or larger than the text, which may have one token",
            1,
            _cases((2, 4, 3, 5, 1), (2, 3, 5, 2, 3), (3, 5, 2, 4, 8), (2, 1, 3, 4, 3)),
        ),
        Property(
            "no score is computed for a key that was not chosen",
            2,
            judge=_chosen_keys_alone,
            measured_inside=True,
        ),
    ),
    stretched="query",
    mistakes=(MISTAKES, Mistake("masked_only", ALL_KEYS, _mask)),
)
