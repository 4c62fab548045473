"""Answers to rungs (lesson 11, exercise 3), right and wrong, as students write them."""

import math
from itertools import takewhile

import numpy as np


# wrong: abs() of all three differences
# named: distance_in_both_ways
def absolute_gaps(claims, margin):
    answers = []
    for seeds in claims:
        two = all(abs(row["score"] - row["baseline"]) > margin for row in seeds)
        three = all(abs(row["cost"] - row["control"]) > margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers


# wrong: any seed
# named: any_seed
def any_seed(claims, margin):
    answers = []
    for seeds in claims:
        two = any(row["score"] > row["baseline"] + margin for row in seeds)
        three = any(row["cost"] > row["control"] + margin for row in seeds)
        four = any(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers


# wrong: one seed is enough (any instead of all)
# named: any_seed
def any_seed_2(claims, margin):
    out = []
    for seeds in claims:
        r = [
            any(s["score"] > s["baseline"] + margin for s in seeds),
            any(s["cost"] > s["control"] + margin for s in seeds),
            any(abs(s["found"] - s["predicted"]) < margin for s in seeds),
        ]
        h = 1
        while h < 4 and r[h - 1]:
            h += 1
        out.append(h)
    return out


# wrong: one seed is enough for a rung
# named: any_seed
def any_seed_3(claims, margin):
    out = []
    for seeds in claims:
        holds = [
            any(s["score"] > s["baseline"] + margin for s in seeds),
            any(s["cost"] > s["control"] + margin for s in seeds),
            any(abs(s["found"] - s["predicted"]) < margin for s in seeds),
        ]
        out.append(1 + (holds + [False]).index(False))
    return out


# wrong: asks whether a rung fails
# named: unmeasured_passes
def asks_whether_it_fails(claims, margin):
    answers = []
    for seeds in claims:
        rung = 1
        if not any(r["score"] <= r["baseline"] + margin for r in seeds):
            rung = 2
            if not any(r["cost"] <= r["control"] + margin for r in seeds):
                rung = 3
                if not any(abs(r["found"] - r["predicted"]) >= margin for r in seeds):
                    rung = 4
        answers.append(rung)
    return answers


# wrong: better than predicted counts
# named: better_than_predicted
def at_least_predicted(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(row["found"] > row["predicted"] - margin for row in seeds)
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers


# wrong: counts what holds
# named: counted
def counted(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        answers.append(1 + two + three + four)
    return answers


# right
def one(seeds, margin):
    if not all(row["score"] - row["baseline"] > margin for row in seeds):
        return 1
    if not all(row["cost"] - row["control"] > margin for row in seeds):
        return 2
    return 4 if all(-margin < row["found"] - row["predicted"] < margin for row in seeds) else 3


def early_return(claims, margin):
    return [one(seeds, margin) for seeds in claims]


# wrong: returns inside the loop over the claims
def first_claim_only(claims, margin):
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        return [1 + two + (two and three) + (two and three and four)]


# wrong: the first seed only
# named: first_seed_only
def first_seed(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds[:1])
        three = all(row["cost"] > row["control"] + margin for row in seeds[:1])
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds[:1])
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers


# wrong: rung 4 holds if found exceeds predicted minus margin (no absolute difference)
# named: better_than_predicted
def found_above(claims, margin):
    out = []
    for seeds in claims:
        r = [
            all(s["score"] > s["baseline"] + margin for s in seeds),
            all(s["cost"] > s["control"] + margin for s in seeds),
            all(s["found"] > s["predicted"] - margin for s in seeds),
            False,
        ]
        out.append(1 + r.index(False))
    return out


# wrong: rungs from 0
# named: from_zero
def from_zero(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        answers.append(0 if not two else 1 if not three else 2 if not four else 3)
    return answers


# wrong: counts the rungs from 0
# named: from_zero
def from_zero_2(claims, margin):
    out = []
    for seeds in claims:
        holds = [
            all(s["score"] > s["baseline"] + margin for s in seeds),
            all(s["cost"] > s["control"] + margin for s in seeds),
            all(abs(s["found"] - s["predicted"]) < margin for s in seeds),
            False,
        ]
        out.append(holds.index(False))
    return out


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


# wrong: takes the highest rung that holds, whatever fails below it
# named: highest_that_holds
def highest_anywhere(claims, margin):
    out = []
    for seeds in claims:
        if all(abs(s["found"] - s["predicted"]) < margin for s in seeds):
            out.append(4)
        elif all(s["cost"] > s["control"] + margin for s in seeds):
            out.append(3)
        elif all(s["score"] > s["baseline"] + margin for s in seeds):
            out.append(2)
        else:
            out.append(1)
    return out


# wrong: the last seed only
# named: first_seed_only
def last_seed(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds[-1:])
        three = all(row["cost"] > row["control"] + margin for row in seeds[-1:])
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds[-1:])
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers


# right
def lowest_of_the_seeds(claims, margin):
    def height(row):
        if not row["score"] > row["baseline"] + margin:
            return 1
        if not row["cost"] > row["control"] + margin:
            return 2
        return 4 if abs(row["predicted"] - row["found"]) < margin else 3

    return [min(map(height, seeds)) for seeds in claims]


# wrong: compares the means over the seeds
# named: mean_over_seeds
def mean_over_seeds(claims, margin):
    out = []
    for seeds in claims:
        m = {k: sum(s[k] for s in seeds) / len(seeds) for k in seeds[0]}
        holds = [
            m["score"] > m["baseline"] + margin,
            m["cost"] > m["control"] + margin,
            abs(m["found"] - m["predicted"]) < margin,
            False,
        ]
        out.append(1 + holds.index(False))
    return out


# wrong: means over the seeds
# named: mean_over_seeds
def means(claims, margin):
    answers = []
    for seeds in claims:
        m = {k: sum(row[k] for row in seeds) / len(seeds) for k in seeds[0]}
        rung = 1
        if m["score"] > m["baseline"] + margin:
            rung = 2
            if m["cost"] > m["control"] + margin:
                rung = 3
                if abs(m["found"] - m["predicted"]) < margin:
                    rung = 4
        answers.append(rung)
    return answers


# wrong: averages over the seeds before comparing
# named: mean_over_seeds
def means_2(claims, margin):
    out = []
    for seeds in claims:
        m = {k: sum(s[k] for s in seeds) / len(seeds) for k in seeds[0]}
        r = [
            m["score"] - m["baseline"] > margin,
            m["cost"] - m["control"] > margin,
            abs(m["found"] - m["predicted"]) < margin,
            False,
        ]
        out.append(1 + r.index(False))
    return out


# wrong: NaN counts as 0
# named: unmeasured_is_0
def nan_as_zero(claims, margin):
    rows = [
        [{k: (0.0 if v != v else v) for k, v in row.items()} for row in seeds] for seeds in claims
    ]
    answers = []
    for seeds in rows:
        rung = 1
        if all(r["score"] > r["baseline"] + margin for r in seeds):
            rung = 2
            if all(r["cost"] > r["control"] + margin for r in seeds):
                rung = 3
                if all(abs(r["found"] - r["predicted"]) < margin for r in seeds):
                    rung = 4
        answers.append(rung)
    return answers


# wrong: asks whether a rung fails, so NaN counts as reached
# named: unmeasured_passes
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


# wrong: no abs() for the prediction
# named: better_than_predicted
def no_abs(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(row["found"] - row["predicted"] < margin for row in seeds)
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers


# wrong: takes a found number far below the predicted one for a hit
# named: better_than_predicted
def no_abs_2(claims, margin):
    out = []
    for seeds in claims:
        holds = [
            all(s["score"] > s["baseline"] + margin for s in seeds),
            all(s["cost"] > s["control"] + margin for s in seeds),
            all(s["found"] - s["predicted"] < margin for s in seeds),
            False,
        ]
        out.append(1 + holds.index(False))
    return out


# wrong: the score against the margin only
# named: without_baseline
def no_baseline(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers


# wrong: the cost against the margin only
# named: without_control
def no_control(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers


# wrong: no margin for rungs 2 and 3
# named: without_margin
def no_margin(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] for row in seeds)
        three = all(row["cost"] > row["control"] for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers


# wrong: forgets the margin on rungs 2 and 3
# named: without_margin
def no_margin_2(claims, margin):
    out = []
    for seeds in claims:
        holds = [
            all(s["score"] > s["baseline"] for s in seeds),
            all(s["cost"] > s["control"] for s in seeds),
            all(abs(s["found"] - s["predicted"]) < margin for s in seeds),
            False,
        ]
        out.append(1 + holds.index(False))
    return out


# right
def numpy(claims, margin):
    answers = []
    for seeds in claims:
        col = {key: np.array([row[key] for row in seeds]) for key in seeds[0]}
        held = [
            (col["score"] > col["baseline"] + margin).all(),
            (col["cost"] > col["control"] + margin).all(),
            (np.abs(col["found"] - col["predicted"]) < margin).all(),
        ]
        answers.append(int(1 + np.cumprod(held).sum()))
    return answers


# wrong: skips seeds with a NaN
# named: unmeasured_passes
def one_seed_per_rung_skipped(claims, margin):
    answers = []
    for seeds in claims:
        rung = 1
        pairs = (("score", "baseline"), ("cost", "control"), ("found", "predicted"))
        for a, b in pairs:
            gaps = [row[a] - row[b] for row in seeds if not math.isnan(row[a] - row[b])]
            ok = all(abs(g) < margin if a == "found" else g > margin for g in gaps)
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers


# wrong: or equal everywhere
# named: at_least_the_margin
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


# right
def products(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        answers.append(1 + two + two * three + two * three * four)
    return answers


# wrong: the margin as a share
# named: ratio
def relative_margin(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] * (1 + margin) for row in seeds)
        three = all(row["cost"] > row["control"] * (1 + margin) for row in seeds)
        four = all(abs(row["found"] - row["predicted"]) < margin for row in seeds)
        rung = 1
        for ok in (two, three, four):
            if not ok:
                break
            rung += 1
        answers.append(rung)
    return answers


# wrong: takes the highest rung that holds, leaving out rungs below it
# named: highest_that_holds
def skips(claims, margin):
    out = []
    for seeds in claims:
        h = 1
        if all(s["score"] > s["baseline"] + margin for s in seeds):
            h = 2
        if all(s["cost"] > s["control"] + margin for s in seeds):
            h = 3
        if all(abs(s["found"] - s["predicted"]) < margin for s in seeds):
            h = 4
        out.append(h)
    return out


# wrong: never reaches rung 4
# named: never_rung_4
def stops_at_three(claims, margin):
    answers = []
    for seeds in claims:
        two = all(row["score"] > row["baseline"] + margin for row in seeds)
        three = all(row["cost"] > row["control"] + margin for row in seeds)
        answers.append(1 + two + (two and three))
    return answers


# right
def with_takewhile(claims, margin):
    from itertools import takewhile

    tests = (
        lambda s: s["score"] - s["baseline"] > margin,
        lambda s: s["cost"] - s["control"] > margin,
        lambda s: -margin < s["found"] - s["predicted"] < margin,
    )
    return [1 + sum(1 for _ in takewhile(lambda t: all(map(t, seeds)), tests)) for seeds in claims]


# right
def takewhile_2(claims, margin):
    tests = (
        lambda s: s["baseline"] + margin < s["score"],
        lambda s: s["control"] + margin < s["cost"],
        lambda s: -margin < s["found"] - s["predicted"] < margin,
    )
    return [
        1 + sum(1 for _ in takewhile(lambda test: all(map(test, seeds)), tests)) for seeds in claims
    ]
