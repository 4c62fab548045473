"""Lesson 15, exercise 5: one device of a ring, and the keys that pass it."""

import math

import torch

from course_checks.exercise import TORCH_ATTENTION, Exercise, Property, all_of
from course_checks.exercises.heads_across_devices.ring_cases import one_large_score, ring_cases
from course_checks.tensor_watch import TensorWatch, watched
from course_lib.attention.online_softmax import merge, partial_softmax
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention


def ring_output(query, keys, values, rank, is_causal):
    maximum, total, weighted = torch.full_like(query[:, :1], -math.inf), 0.0, 0.0
    for turn in range(len(keys)):
        source = (rank - turn) % len(keys)
        if is_causal and source > rank:
            continue
        scores = query @ keys[source].T / math.sqrt(query.shape[1])
        if is_causal and source == rank:
            allowed = torch.ones(scores.shape, dtype=torch.bool, device=scores.device).tril()
            scores = scores.masked_fill(~allowed, -math.inf)
        new = torch.maximum(maximum, scores.amax(dim=1, keepdim=True))
        shrink, numerators = torch.exp(maximum - new), torch.exp(scores - new)
        total = shrink * total + numerators.sum(dim=1, keepdim=True)
        weighted = shrink * weighted + numerators @ values[source]
        maximum = new
    return weighted / total


MISTAKES = """
mean_of_outputs: shrink * total + numerators.sum(dim=1, keepdim=True) -> total + 1 && \
        shrink * weighted + numerators -> weighted + scores.softmax(dim=1)
or: shrink * total + numerators.sum(dim=1, keepdim=True) -> 1 && \
        shrink * weighted + numerators -> weighted + scores.softmax(dim=1)
    You add the outputs of the devices up, or take their mean. Those whose keys fit count more:
    merge maximum, total and weighted.
added: shrink * total -> total && shrink * weighted -> weighted
or: shrink * total -> total && shrink * weighted -> weighted && (rank - turn) % len(keys) -> turn
or: shrink * total -> total && shrink * weighted -> weighted && \
        (rank - turn) % len(keys) -> (rank + turn) % len(keys)
or: shrink * total -> total && shrink * weighted -> weighted && \
        torch.exp(scores - new) -> torch.exp(scores - scores.amax(dim=1, keepdim=True))
    You add totals and weighted values of different maxima. Multiply by exp(own - larger) first.
total_not_shrunk: shrink * total -> total
or: shrink * total -> total && (rank - turn) % len(keys) -> turn
or: shrink * total -> total && (rank - turn) % len(keys) -> (rank + turn) % len(keys)
or: shrink * total + numerators -> total + torch.exp(scores - scores.amax(dim=1, keepdim=True))
    You add the totals as they are. They take the same factors as the weighted values.
weighted_not_shrunk: shrink * weighted -> weighted
or: shrink * weighted -> weighted && (rank - turn) % len(keys) -> turn
or: shrink * weighted -> weighted && (rank - turn) % len(keys) -> (rank + turn) % len(keys)
or: shrink * weighted + numerators -> \
        weighted + torch.exp(scores - scores.amax(dim=1, keepdim=True))
    You add the weighted values as they are. They take the same factors as the totals.
no_maximum: torch.maximum(maximum, scores.amax(dim=1, keepdim=True)) -> torch.zeros_like(maximum)
    You take exp of the scores as they are, and it overflows: subtract the largest of the row first.
first_maximum: torch.maximum(maximum, -> maximum.where(maximum.isfinite(),
or: torch.maximum(maximum, -> maximum.where(maximum.isfinite(), && (rank - turn) % len(keys) -> turn
or: torch.maximum(maximum, -> maximum.where(maximum.isfinite(), && \
        (rank - turn) % len(keys) -> (rank + turn) % len(keys)
    You keep the maximum of the first chunk, and a larger score overflows: go over to the larger
    maximum, and shrink what you have.
newest_only: torch.maximum(maximum, scores.amax(dim=1, keepdim=True)) -> \
        scores.amax(dim=1, keepdim=True) && shrink * => 0 *
    You keep only what came last, and forget the keys before it.
own_keys_only: range(len(keys)) -> range(1)
    You attend to the device's own keys only. The others' come round the ring.
one_turn_short: range(len(keys)) -> range(max(len(keys) - 1, 1))
    You stop one round too early: n devices need n rounds, the first for the device's own keys.
own_left_out: range(len(keys)) -> range(min(1, len(keys) - 1), len(keys)) && source > rank -> \
        source > rank > 0
    You leave out the device's own keys. They are met in round 0.
values_stay: values[source] -> values[rank]
    Your keys go round and your values stay. Both travel together.
not_scaled: / math.sqrt(query.shape[1]) ->
    Your scores are not divided by the square root of head_dim.
scaled_by_value_dim: math.sqrt(query.shape[1]) -> math.sqrt(values[0].shape[1])
    You divide by the root of value_dim. The dot product runs over the features of the query.
not_divided: weighted / total -> weighted
    You return the weighted values. At the end they are divided by the total.
own_keys_seen_whole: scores.masked_fill(~allowed, -math.inf) -> scores
    With is_causal you let a token see later ones of its own device. Use the causal mask there.
masked_everywhere: if is_causal and source == rank -> if is_causal
    With is_causal you put the causal mask on the keys of earlier devices too. They lie in the past,
    and are seen whole.
mask_turned_round: ~allowed -> allowed
or: ~allowed -> allowed && range(len(keys)) -> range(1 if is_causal else len(keys))
or: ~allowed -> allowed && (rank - turn) % len(keys) -> turn
    With is_causal your mask is turned round. masked_fill hides where its mask is True.
hides_itself: tril() -> tril(-1) && return weighted / total -> \
        return (weighted / total).nan_to_num() && \
        amax(dim=1, keepdim=True) -> amax(dim=1, keepdim=True).clamp(min=-1e30)
    With is_causal a token does not see itself. It may: hide only what comes later.
own_skipped: source > rank -> source >= rank > 0
    With is_causal you skip the device's own keys too. Only later devices lie in the future.
past_skipped: source > rank -> source < rank
    With is_causal you skip the keys of earlier devices. Those of the later ones are the future.
future_seen: is_causal and source > rank -> False
    With is_causal you let a token see the keys of later devices. Skip them.
never_causal: if is_causal => if False
    Your is_causal changes nothing.
always_causal: if is_causal => if True
    You hide the future without being asked: only where is_causal is True.
future_computed: is_causal and source > rank -> False && is_causal and source == rank -> \
        is_causal and source >= rank && tril() -> tril((rank - source) * len(query))
    You compute the keys of later devices too, and hide them. Skip them: that is the work that a
    causal mask saves. (And 0 times infinity is nan.)
several_at_once: _joined
    {SEVERAL_AT_ONCE}
two_rounds: maximum, total, weighted = torch.full_like(query[:, :1], -math.inf), 0.0, 0.0 -> \
        total = weighted = 0.0; maximum = torch.full_like(query[:, :1], -math.inf) if is_causal \
        else sum(torch.stack([(query @ k.T).amax(1, True) for k in keys]).max(0)[:1]) / math.sqrt( \
        query.shape[1])
    {TWO_ROUNDS}
"""

SEVERAL_AT_ONCE = (
    "Your numbers are right, and you take the scores of several devices' keys at once. In each "
    "round a device has one chunk: merge it into maximum, total and weighted before the next comes."
)

TWO_ROUNDS = (
    "Your numbers are right, and you compute scores twice: the keys would have to go round the "
    "ring twice. Shrink what you have whenever the maximum grows, and once is enough."
)


def _joined(query, keys, values, rank, is_causal):
    last = rank + 1 if is_causal else len(keys)
    scores = query @ keys[:last].flatten(0, 1).T / math.sqrt(query.shape[1])
    if is_causal:
        seen = torch.ones_like(scores, dtype=torch.bool).tril(rank * len(query))
        scores = scores.masked_fill(~seen, -math.inf)
    return scores.softmax(dim=1) @ values[:last].flatten(0, 1)


def _one_chunk_at_a_time(function):
    (*_, case) = ring_cases(False, (3, 6, 2, 2))(torch.Generator(device="cpu").manual_seed(0))
    watch = watched(TensorWatch(), EXERCISE, function, case.args)
    if watch.product > 6 * 6 or watch.largest >= 3 * 6 * 6:
        return SEVERAL_AT_ONCE, ""
    return (TWO_ROUNDS, "") if watch.computed >= 2 * 3 * 6 * 6 else None


EXERCISE = Exercise(
    reference=ring_output,
    returns={"output": "(size, value_dim)"},
    library=(merge, partial_softmax, scaled_dot_product_attention),
    forbidden=(TORCH_ATTENTION,),
    properties=(
        Property(
            "each query meets the keys of all devices",
            2,
            ring_cases(False, (2, 1, 2, 1), (2, 3, 2, 2), (3, 2, 3, 4)),
        ),
        Property(
            "with is_causal a token sees itself and earlier ones",
            2,
            ring_cases(True, (2, 2, 2, 1), (3, 3, 2, 2), (4, 2, 3, 4)),
        ),
        Property(
            "keys that lie in the future are not touched",
            1,
            ring_cases(True, (2, 1, 2, 1), (3, 1, 2, 2), poisoned=True),
        ),
        Property(
            "large scores do not overflow",
            1,
            all_of(ring_cases(False, (2, 2, 2, 2), spread=300.0), one_large_score(2, 2, 2, 2)),
        ),
        Property(
            "the scores are taken chunk by chunk",
            1,
            judge=_one_chunk_at_a_time,
            measured_inside=True,
        ),
    ),
    stretched="query",
    mistakes=MISTAKES,
)
