"""Lesson 09, exercise 7: how high a claim stands on the evidence ladder."""

import math

import torch

from course_lib.checks.exercise import Case, Exercise, Mutant, Property


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


# --- wrong versions -----------------------------------------------------------------------------


def _number(row, margin):
    return row["score"] > row["baseline"] + margin


def _ablation(row, margin):
    return row["cost"] > row["control"] + margin


def _prediction(row, margin):
    return abs(row["found"] - row["predicted"]) < margin


def _in_a_row(held):
    return 1 + (held + [False]).index(False)


def _version(tests=(_number, _ablation, _prediction), over_seeds=all, rung_of=_in_a_row):
    """A version with other tests, more lenient with seeds, or that counts rungs otherwise."""

    def version(claims, margin):
        return [
            rung_of([over_seeds([test(row, margin) for row in seeds]) for test in tests])
            for seeds in claims
        ]

    return version


def _means(claims, margin):
    keys = ("score", "baseline", "cost", "control", "found", "predicted")
    means = [[{key: sum(row[key] for row in s) / len(s) for key in keys}] for s in claims]
    return rungs(means, margin)


def _unless_less(row, margin):
    return not row["cost"] <= row["control"] + margin


def _unless_missed(row, margin):
    return not abs(row["found"] - row["predicted"]) >= margin


# --- claims -------------------------------------------------------------------------------------


# How far, in margins, a measurement lies above what it is compared with.
_GAPS = {"h": (1.5, 3), "n": (0.55, 0.7), "f": (-3, -1.5), "F": (-8, -7)}
_MISSES = {"h": (-0.7, 0.7), "f": (-3, -1.5), "b": (1.5, 3)}


def _row(generator, margin, kinds):
    """One seed: score, ablation and prediction each hold, fail, are narrow, better or not there."""

    def draw(limits):
        least, most = limits
        return least + (most - least) * float(torch.rand((), generator=generator))

    row = {low: draw((0.3, 0.45)) for low in ("baseline", "control", "predicted")}
    names = (
        ("score", "baseline", _GAPS),
        ("cost", "control", _GAPS),
        ("found", "predicted", _MISSES),
    )
    for kind, (name, other, gaps) in zip(kinds, names, strict=True):
        row[name] = math.nan if kind == "x" else row[other] + margin * draw(gaps[kind])
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


EXERCISE = Exercise(
    lesson="09",
    number=7,
    reference=rungs,
    returns={"rungs": "one whole number for each claim"},
    kind="numbers",
    properties=(
        Property(
            "each rung that holds leads one higher, from 1 to 4",
            1,
            _claims("fff fff", "hff hff", "hhf hhf", "hhh hhh"),
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
            "a difference within the margin is none, a prediction missed by more than it failed",
            1,
            _claims("nhh nhh nhh", "hnh hnh hnh", "hhb hhb hhb", "hhh hhh hnh", margin=0.15),
        ),
        Property(
            "what was not measured (NaN) has not been shown",
            1,
            _claims("hxh hxh", "hhx hhx", "hxx hxx", "hhh hhx"),
        ),
    ),
    mutants=(
        Mutant(
            "highest_that_holds",
            "You return the highest rung that holds, whatever is missing below. An ablation that "
            "hurts does not show what the head looks at: stop at the first rung that fails.",
            _version(rung_of=lambda held: max(i + 1 for i, h in enumerate([True, *held]) if h)),
        ),
        Mutant(
            "counted",
            "You count the rungs that hold. A ladder is climbed from below: stop at the first one "
            "that fails.",
            _version(rung_of=lambda held: 1 + sum(held)),
        ),
        Mutant(
            "any_seed",
            "One seed in which it holds is enough for you. Whoever trains until a claim holds will "
            "find a seed: it has to hold in all of them.",
            _version(over_seeds=any),
        ),
        Mutant(
            "first_seed_only",
            "You look at the first seed only: does your function return inside the loop, or stop "
            "there? It has to hold in all of them.",
            lambda claims, margin: rungs([seeds[:1] for seeds in claims], margin),
        ),
        Mutant(
            "most_seeds",
            "You ask whether it holds in most seeds. The claim is about such models, not about "
            "most of them: it has to hold in all.",
            _version(over_seeds=lambda held: sum(held) > len(held) / 2),
        ),
        Mutant(
            "mean_over_seeds",
            "You compare means over the seeds. A few seeds with a large difference hide one that "
            "has none: ask each of them.",
            _means,
        ),
        Mutant(
            "without_margin",
            "Any difference is enough for you. Between two measurements there always is one: it "
            "must be larger than the margin.",
            _version(
                (lambda row, m: _number(row, 0), lambda row, m: _ablation(row, 0), _prediction)
            ),
        ),
        Mutant(
            "without_baseline",
            "You compare the score with the margin alone. Weight that any untrained head would put "
            "there says nothing: it must be above the baseline by the margin.",
            _version((lambda row, margin: row["score"] > margin, _ablation, _prediction)),
        ),
        Mutant(
            "without_control",
            "You compare the cost with the margin alone. Taking away any other heads may cost as "
            "much: it must be above the control by the margin.",
            _version((_number, lambda row, margin: row["cost"] > margin, _prediction)),
        ),
        Mutant(
            "better_than_predicted",
            "A number far above the prediction counts as a success with you. You were wrong about "
            "the head, if on the pleasant side: ask for the distance, with abs().",
            _version((_number, _ablation, lambda row, m: row["found"] > row["predicted"] - m)),
        ),
        Mutant(
            "unmeasured_passes",
            "What was not measured passes: you ask whether it failed, and every comparison with "
            "NaN is False. Ask whether it holds.",
            _version((_number, _unless_less, _unless_missed)),
        ),
        Mutant(
            "from_zero",
            "Your rungs begin at 0. A claim stands on rung 1 as soon as somebody has seen a "
            "pattern.",
            _version(rung_of=lambda held: _in_a_row(held) - 1),
        ),
    ),
)
