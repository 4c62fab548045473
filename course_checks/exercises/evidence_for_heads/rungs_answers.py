"""Answers to rungs (lesson 11, exercise 3), right and wrong, as students write them."""

import math

import numpy as np
import torch


# right
def of_each_seed(claims, margin):
    """The lowest rung that any seed stops at."""

    def climb(row):
        if not row["score"] - row["baseline"] > margin:
            return 1
        if not row["cost"] - row["control"] > margin:
            return 2
        return 4 if -margin < row["found"] - row["predicted"] < margin else 3

    return [min(map(climb, seeds)) for seeds in claims]


# right
def numpy(claims, margin):
    answers = []
    for seeds in claims:
        columns = {key: np.array([row[key] for row in seeds]) for key in seeds[0]}
        held = np.stack(
            [
                columns["score"] - columns["baseline"] > margin,
                columns["cost"] - columns["control"] > margin,
                abs(columns["found"] - columns["predicted"]) < margin,
            ]
        )
        answers.append(1 + held.all(axis=1).cumprod().sum())
    return np.array(answers)


# wrong: returns inside the loop over the claims
def first_claim_only(claims, margin):
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        return [1 + two + (two and three) + (two and three and four)]


# wrong: the highest rung that holds
# named: highest_that_holds
def highest(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        answers.append(4 if four else 3 if three else 2 if two else 1)
    return answers


# wrong: asks whether a rung fails, so NaN counts as reached
# named: unmeasured_passes
# points: 5
def nan_fails_asked(claims, margin):
    out = []
    for seeds in claims:
        if any(s["score"] <= s["baseline"] + margin for s in seeds):
            out.append(1)
        elif any(s["cost"] <= s["control"] + margin for s in seeds):
            out.append(2)
        elif any(abs(s["found"] - s["predicted"]) >= margin for s in seeds):
            out.append(3)
        else:
            out.append(4)
    return out


# wrong: replaces NaN by 0
# named: unmeasured_is_0
# points: 5
def nan_to_zero(claims, margin):
    out = []
    for seeds in claims:
        rows = [{k: 0.0 if math.isnan(v) else v for k, v in s.items()} for s in seeds]
        holds = [
            all(s["score"] > s["baseline"] + margin for s in rows),
            all(s["cost"] > s["control"] + margin for s in rows),
            all(abs(s["found"] - s["predicted"]) < margin for s in rows),
            False,
        ]
        out.append(1 + holds.index(False))
    return out


# wrong: or equal everywhere
# named: at_least_the_margin
# points: 5
def or_equal(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] >= row["baseline"] + margin for row in seeds)
        three = all(row["cost"] >= row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) <= margin for row in seeds)
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers


# wrong: stops at the first rung that fails
# points: 5
# says: not been shown
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


# other inputs
def other_inputs(generator):
    names = ("score", "baseline", "cost", "control", "found", "predicted")
    for count in (1, 2):
        rows = 0.4 * torch.rand(40, count, 6, generator=generator) + torch.tensor(
            [0.4, 0, 0.4, 0, 0, 0]
        )
        claims = [[dict(zip(names, row, strict=True)) for row in c] for c in rows.tolist()]
        yield tuple(map(tuple, claims)), 0.2
