"""Lesson 15, exercise 5: one device of a ring, and the keys that pass it."""

import math

import torch

from course_lib.attention.online_softmax import merge, partial_softmax
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.checks.exercise import TORCH_ATTENTION, Exercise, Mistake, Property
from course_lib.checks.heads_across_devices.mistaken_rings import (
    ORDERS,
    all_masked,
    outputs_put_together,
    running,
    turned_round,
    turned_round_for_all,
)
from course_lib.checks.heads_across_devices.ring_cases import one_large_score, ring_cases


def ring_output(query, keys, values, rank, is_causal):
    kept = None
    for turn in range(len(keys)):
        source = (rank - turn) % len(keys)
        if is_causal and source > rank:
            continue
        scores = query @ keys[source].T / math.sqrt(query.shape[1])
        if is_causal and source == rank:
            allowed = torch.ones(scores.shape, dtype=torch.bool, device=scores.device).tril()
            scores = scores.masked_fill(~allowed, -math.inf)
        maximum = scores.amax(dim=1, keepdim=True)
        numerators = torch.exp(scores - maximum)
        new = maximum, numerators.sum(dim=1, keepdim=True), numerators @ values[source]
        kept = new if kept is None else _merged(kept, new)
    return kept[2] / kept[1]


MISTAKES = """
no_maximum: scores.amax(dim=1, keepdim=True) -> scores.new_zeros(len(scores), 1)
    You take exp of the scores as they are. For a large score that is infinite: subtract the largest
    one of the row first.
"""

MORE_MISTAKES = """
newest_only: _merged(kept, new) -> new
    You keep only what came last, and forget the keys before it.
own_keys_only: range(len(keys)) -> range(1)
    You attend to the device's own keys only. The others' come round the ring.
one_turn_short: range(len(keys)) -> range(max(len(keys) - 1, 1))
    You stop one round too early: n devices need n rounds, the first of them for the device's own
    keys.
own_left_out: range(len(keys)) -> range(min(1, len(keys) - 1), len(keys)) && source > rank -> \
        source > rank > 0
    You leave out the device's own keys. They are met in round 0.
values_stay: values[source] -> values[rank]
    Your keys go round and your values stay: the weights of one device's keys meet the values of
    another. Both travel together.
not_scaled: / math.sqrt(query.shape[1]) ->
    Your scores are not divided by the square root of head_dim.
not_divided: kept[2] / kept[1] -> kept[2]
    You return the weighted values. At the end they are divided by the total.
own_keys_seen_whole: scores.masked_fill(~allowed, -math.inf) -> scores
    With is_causal you let a token see later ones of its own device. There the usual causal mask
    holds: tril.
"""

MORE_MISTAKES_2 = """
own_skipped: source > rank -> source >= rank > 0
    With is_causal you skip the device's own keys too. Only those of later devices lie in the future
    as a whole.
past_skipped: source > rank -> source < rank
    With is_causal you skip the keys of earlier devices. Those of the later ones are the future.
future_seen: is_causal and source > rank -> False
    With is_causal you let a token see the keys of later devices. Skip them: all of them lie in the
    future.
never_causal: if is_causal => if False
    Your is_causal changes nothing.
always_causal: if is_causal => if True
    You hide the future without being asked: only where is_causal is True.
"""


def _merged(first, second):
    (m1, t1, w1), (m2, t2, w2) = first, second
    maximum = torch.maximum(m1, m2)
    a, b = torch.exp(m1 - maximum), torch.exp(m2 - maximum)
    return maximum, a * t1 + b * t2, a * w1 + b * w2


# --- wrong versions -----------------------------------------------------------------------------


def _added(first, second):
    maximum = torch.maximum(first[0], second[0])
    return maximum, first[1] + second[1], first[2] + second[2]


def _total_not_shrunk(first, second):
    maximum, _, weighted = _merged(first, second)
    return maximum, first[1] + second[1], weighted


def _weighted_not_shrunk(first, second):
    maximum, total, _ = _merged(first, second)
    return maximum, total, first[2] + second[2]


def _mended(part):
    return tuple(t.nan_to_num(neginf=-1e30) for t in part)


EXERCISE = Exercise(
    lesson="15",
    number=5,
    reference=ring_output,
    returns={"output": "(size, value_dim)"},
    library=(merge, partial_softmax, scaled_dot_product_attention),
    forbidden=(TORCH_ATTENTION,),
    properties=(
        Property(
            "each query meets the keys of all devices",
            3,
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
            lambda generator: [
                *ring_cases(False, (2, 2, 2, 2), spread=300.0)(generator),
                *one_large_score(2, 2, 2, 2)(generator),
            ],
        ),
    ),
    mistakes=(
        Mistake(
            "mean_of_outputs",
            "You take the mean of the outputs. A device whose keys do not fit then counts as much "
            "as one whose keys do: merge maximum, total and weighted.",
            outputs_put_together(lambda outputs: sum(outputs) / len(outputs)),
        ),
        Mistake(
            "sum_of_outputs",
            "You add the outputs up. Each of them has weights that sum to 1, so yours sum to the "
            "number of devices: merge maximum, total and weighted.",
            outputs_put_together(sum),
        ),
        Mistake(
            "added",
            "You add totals and weighted values that were made with different maxima. Multiply by "
            "exp(own maximum - larger maximum) first.",
            "_merged(kept, new) -> _added(kept, new)",
            also=tuple(running(order, True, True) for order in ORDERS),
        ),
        Mistake(
            "total_not_shrunk",
            "You bring the weighted values to the larger maximum and add the totals as they are. "
            "Both take the same factor.",
            "_merged(kept, new) -> _total_not_shrunk(kept, new)",
            also=tuple(running(order, keeps_total=True) for order in ORDERS),
        ),
        Mistake(
            "weighted_not_shrunk",
            "You bring the totals to the larger maximum and add the weighted values as they are. "
            "Both take the same factor.",
            "_merged(kept, new) -> _weighted_not_shrunk(kept, new)",
            also=tuple(running(order, keeps_weighted=True) for order in ORDERS),
        ),
        MISTAKES,
        Mistake(
            "first_maximum",
            "You keep the maximum of the first chunk. A later chunk may have a much larger score, "
            "and exp overflows: go over to the larger maximum, and shrink what you have.",
            running(ORDERS[0], keeps_maximum=True),
            also=tuple(running(order, keeps_maximum=True) for order in ORDERS[1:]),
        ),
        MORE_MISTAKES,
        Mistake(
            "masked_everywhere",
            "With is_causal you put the causal mask on the keys of other devices too. Those of "
            "earlier devices all lie in the past, and are seen whole.",
            "if is_causal and source == rank -> if is_causal",
        ),
        Mistake(
            "mask_turned_round",
            "With is_causal your mask is turned round: it hides what a token may see, and shows "
            "what it may not. masked_fill hides where its mask is True.",
            "~allowed -> allowed",
            also=(running(ORDERS[2], allowed=turned_round), turned_round_for_all),
        ),
        Mistake(
            "hides_itself",
            "With is_causal a token does not see itself. It may: hide only what comes later.",
            "tril() -> tril(-1) && _merged(kept, new) -> _merged(_mended(kept), _mended(new)) && "
            "return kept[2] / kept[1] -> return (kept[2] / kept[1]).nan_to_num()",
        ),
        MORE_MISTAKES_2,
        Mistake(
            "future_computed",
            "You compute the keys of later devices too, and hide them. Skip them: that is the work "
            "that a causal mask saves. (And 0 times infinity is nan.)",
            all_masked,
        ),
    ),
)
