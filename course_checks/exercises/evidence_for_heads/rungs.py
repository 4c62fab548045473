"""Lesson 11, exercise 3: how high a claim stands on the evidence ladder."""

import math

import torch

from course_checks.exercise import Case, Exercise, Property


def rungs(claims, margin):
    answers = []
    for seeds in claims:
        held = [
            all(row["score"] > row["baseline"] + margin for row in seeds),
            all(row["cost"] > row["control"] + margin for row in seeds),
            all(abs(row["found"] - row["predicted"]) < margin for row in seeds),
        ]
        answers.append(1 + (held + [False]).index(False))
    return answers


MISTAKES = """
highest_that_holds: 1 + (held + [False]).index(False) -> \
        max(i + 1 for i, h in enumerate([True, *held]) if h)
    You return the highest rung that holds, whatever is missing below. Stop at the first that fails.
counted: 1 + (held + [False]).index(False) -> 1 + sum(held)
    You count the rungs that hold. A ladder is climbed from below: stop at the first one that fails.
any_seed: all( => any( || _most(
    You ask whether it holds in any seed, or in most. It has to hold in all of them.
first_seed_only: in claims -> in [seeds[:1] for seeds in claims]
or: in claims -> in [seeds[-1:] for seeds in claims]
    You look at one seed only: does a return or an assignment in the loop lose the others? Ask all.
mean_over_seeds: _means
    You compare means over the seeds. A few large differences hide one that has none: ask each.
without_margin: row["baseline"] + margin -> row["baseline"] && row["control"] + margin -> \
        row["control"]
    A difference smaller than the margin is enough for you. Between two measurements there always is
    one: it must be larger than the margin.
ratio: row["baseline"] + margin -> row["baseline"] * (1 + margin) && row["control"] + margin -> \
        row["control"] * (1 + margin)
    You compare a ratio with 1 + margin. The margin is a difference: score - baseline is more.
without_baseline: row["baseline"] + margin -> margin
    You compare the score with the margin alone. It must be above the baseline by the margin.
without_control: row["control"] + margin -> margin
    You compare the cost with the margin alone. It must be above the control by the margin.
better_than_predicted: abs(row["found"] - row["predicted"]) < margin -> \
        row["found"] > row["predicted"] - margin
or: abs(row["found"] - row["predicted"]) -> row["found"] - row["predicted"]
    A number far from the prediction on one side counts as a success with you. Ask for the distance:
    abs().
unmeasured_passes: row["score"] > -> not row["score"] <= && row["cost"] > -> not row["cost"] <= && \
        abs(row["found"] - row["predicted"]) < margin -> \
        not abs(row["found"] - row["predicted"]) >= margin
    What was not measured passes: you ask whether it failed. Every comparison with NaN is False: ask
    whether it holds, in every seed.
unmeasured_is_0: lambda claims, margin: rungs([[{k: 0.0 if v != v else v for k, v in row.items()} \
        for row in s] for s in claims], margin)
    You put a 0 for what was not measured, which is easy to beat. It has not been shown.
at_least_the_margin: row["score"] > -> row["score"] >= && row["cost"] > -> row["cost"] >= || \
        < margin -> <= margin
or: row["score"] > -> row["score"] >= && row["cost"] > -> row["cost"] >= && < margin -> <= margin
    A difference equal to the margin passes with you. The words are more than and less than: > and
    <.
distance_in_both_ways: row["score"] > row["baseline"] + margin -> \
        abs(row["score"] - row["baseline"]) > margin && row["cost"] > row["control"] + margin -> \
        abs(row["cost"] - row["control"]) > margin
    A score far below its baseline counts as a success with you, by abs(). Only the prediction may
    miss both ways.
never_rung_4: all(abs(row["found"] - row["predicted"]) < margin for row in seeds), ->
    Your rungs end at 3. A prediction that came true leads to rung 4.
from_zero: 1 + (held -> (held
    Your rungs begin at 0. A claim stands on rung 1 as soon as somebody has seen a pattern.
"""


def _means(claims, margin):
    keys = ("score", "baseline", "cost", "control", "found", "predicted")
    means = [[{key: sum(row[key] for row in s) / len(s) for key in keys}] for s in claims]
    return rungs(means, margin)


# How far, in margins, a measurement lies above what it is compared with.
_GAPS = {"h": (1.5, 3), "s": (0.1, 0.2), "n": (0.55, 0.7), "f": (-3, -1.5), "F": (-8, -7)}
_MISSES = {"h": (-0.7, 0.7), "f": (-3, -1.5), "b": (1.5, 3), "l": (0.0, 0.3)}


def _row(generator, margin, kinds):
    """One seed: score, ablation and prediction each hold (h), fail (f, F) or are narrow (n, s).

    Or better than predicted (b), little as predicted (l), at the margin (e), not measured (x), nor
    its control (X, or c).
    """

    def draw(limits):
        least, most = limits
        return least + (most - least) * float(torch.rand((), generator=generator))

    row = {low: draw((0.3, 0.45)) for low in ("baseline", "control", "predicted")}
    if "e" in kinds:  # exact in binary, so that the difference is the margin and no digit less
        row = dict.fromkeys(row, 0.5)
    gaps_of = {"score": ("baseline", _GAPS), "cost": ("control", _GAPS)}
    gaps_of["found"] = "predicted", _MISSES
    for kind, (name, (other, gaps)) in zip(kinds, gaps_of.items(), strict=True):
        row[name] = row[other] + margin * (1 if kind in "exXc" else draw(gaps[kind]))
        if kind == "l":
            row[other] = draw((0.0, 0.01))
            row[name] = row[other] + margin * draw(gaps[kind])
        if kind == "c":
            row[name], row[other] = 0.9, math.nan
        if kind in "xX":
            row[name] = math.nan
        if kind == "X":
            row[other] = math.nan
    return row


def _claims(*claims, margin=0.05):
    """Each claim in words such as "hhf hhh": three letters for each seed."""

    def make(generator):
        rows = tuple(
            tuple(_row(generator, margin, kinds) for kinds in claim.split()) for claim in claims
        )
        words = f"{len(claims)} claims, {len(rows[0])} seeds each, margin = {margin}"
        return [Case((rows, margin), label=words)]

    return make


def _at_the_margin(generator):
    within = _claims(
        "nhh nhh nhh",
        "shh shh shh",
        "hnh hnh hnh",
        "hhb hhb hhb",
        "hhh hhh hnh",
        "hhf hhf hhf",
        margin=0.15,
    )
    equal = _claims("ehh ehh", "heh heh", "hhe hhe", margin=0.25)
    return within(generator) + equal(generator)


def _most(held):
    held = list(held)
    return sum(held) > len(held) / 2


EXERCISE = Exercise(
    reference=rungs,
    returns={"rungs": "one whole number for each claim"},
    kind="numbers",
    properties=(
        Property(
            "each rung that holds leads one higher, from 1 to 4",
            1,
            _claims("fff fff", "hff hff", "hhf hhf", "hhh hhh", "hhl hhl"),
        ),
        Property(
            "no rung is reached above one that does not hold",
            1,
            _claims("fhh fhh", "hfh hfh", "ffh ffh", "fhf fhf"),
        ),
        Property(
            "a rung holds only where it does so in all seeds",
            1,
            _claims(
                "hhh hhf hhh hhh",
                "hhh hhh hhh nhh",
                "Fhh hhh hhh hhh",
                "hfh hhh hff hhh",
                "fhh hhh fhh fhh",
            ),
        ),
        Property(
            "a difference within the margin, or equal to it, is none; a prediction missed by the "
            "margin or more failed",
            1,
            _at_the_margin,
        ),
        Property(
            "what was not measured (NaN) has not been shown",
            1,
            _claims("hxh hxh", "hhx hhx", "hxx hxx", "hhh hhx", "hch hch", "hhX hhX", "chh hhh"),
        ),
    ),
    mistakes=MISTAKES,
)
