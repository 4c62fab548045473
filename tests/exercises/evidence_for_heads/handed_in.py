"""Answers to the exercises on evidence for heads, of the kind that students hand in."""

import math

import torch

import course_checks as checks


def near_in_short(weights, width, mask):
    found = checks.near_share.exercise.reference(weights, width, mask)[0]
    return found, torch.full_like(found, (2 * width + 1) / weights.shape[-1])


def at_the_verb(weights, query_positions, subject_positions):
    return checks.subject_head.exercise.reference(weights, query_positions + 1, subject_positions)


def flat_index(weights, query_positions, subject_positions):
    layer, head, weight = checks.subject_head.exercise.reference(
        weights, query_positions, subject_positions
    )
    return layer * weights.shape[2] + head, weight


def stops_at_failure(claims, margin):
    answers = []
    for seeds in claims:
        rung = 1
        for high, low in (("score", "baseline"), ("cost", "control")):
            if any(row[high] <= row[low] + margin for row in seeds):
                break
            rung += 1
        else:
            rung += all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        answers.append(rung)
    return answers


def near_in_first(weights, width, mask):
    mask = mask.expand(weights.shape)
    return checks.near_share.exercise.reference(weights[:1], width, mask[:1])


def _mean_on_subject(weights, query_positions, subject_positions):
    places = zip(query_positions.tolist(), subject_positions.tolist(), strict=True)
    picked = [weights[:, b, :, query, key] for b, (query, key) in enumerate(places)]
    return torch.stack(picked).mean(dim=0)  # (layers, num_heads)


def layer_then_head(weights, query_positions, subject_positions):
    means = _mean_on_subject(weights, query_positions, subject_positions)
    layer = means.mean(dim=1).argmax().item()
    head = means[layer].argmax().item()
    return layer, head, means[layer, head].item()


def head_then_layer(weights, query_positions, subject_positions):
    means = _mean_on_subject(weights, query_positions, subject_positions)
    head = means.mean(dim=0).argmax().item()
    layer = means[:, head].argmax().item()
    return layer, head, means[layer, head].item()


def two_before_the_verb(weights, query_positions, subject_positions):
    return checks.subject_head.exercise.reference(weights, query_positions - 1, subject_positions)


def _climbs(exceeds, is_met, keep=lambda row: row):
    """Rungs of claims by two tests of their own, on the rows that ``keep`` makes or leaves out."""

    def rungs(claims, margin):
        answers = []
        for seeds in claims:
            rows = [row for row in map(keep, seeds) if row]
            held = [
                all(exceeds(row["score"] - row["baseline"], margin) for row in rows),
                all(exceeds(row["cost"] - row["control"], margin) for row in rows),
                all(is_met(row["found"] - row["predicted"], margin) for row in rows),
            ]
            answers.append(1 + (held + [False]).index(False))
        return answers

    return rungs


def _more(difference, margin):
    return difference > margin


def _near(difference, margin):
    return abs(difference) < margin


def _zeros_for_nan(row):
    return {name: 0 if math.isnan(value) else value for name, value in row.items()}


without_abs = _climbs(_more, lambda difference, margin: difference < margin)


or_equal = _climbs(lambda d, margin: d >= margin, lambda d, margin: abs(d) <= margin)


zero_for_nan = _climbs(_more, _near, _zeros_for_nan)


complete_rows = _climbs(
    _more, _near, lambda row: None if any(map(math.isnan, row.values())) else row
)


ANSWERS = [
    ("near_share", near_in_first, None, "first_sentence_only", "the whole batch"),
    ("subject_head", layer_then_head, None, "best_layer_first", "all heads of all layers"),
    ("subject_head", head_then_layer, None, "best_layer_first", "all heads of all layers"),
    ("subject_head", two_before_the_verb, 0, "query_one_earlier", "You look one token earlier."),
    (
        "rungs",
        zero_for_nan,
        5,
        "unmeasured_is_0",
        "You put a 0 for what was not measured, which is easy to",
    ),
    ("rungs", without_abs, None, "better_than_predicted", "abs()"),
    ("rungs", or_equal, 5, "at_least_the_margin", "more than and less than"),
    ("rungs", complete_rows, 5, "unmeasured_passes", "What was not measured passes:"),
    (
        "near_share",
        near_in_short,
        2,
        "baseline_without_edges",
        "Your baseline is (2 width + 1) / length.",
    ),
    ("subject_head", at_the_verb, 0, "query_one_later", "You look one token later, at the verb."),
    ("subject_head", flat_index, 0, None, "expected (3,), that is (layer, head, weight)"),
    ("rungs", stops_at_failure, 5, None, "not been shown"),
]
