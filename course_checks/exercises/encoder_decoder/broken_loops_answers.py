"""Answers to broken_loops (lesson 09, exercise 5), right and wrong, as students write them."""

import math

import torch

from course_checks.exercises.encoder_decoder.broken_loops import record_of


# right
def by_rules(records):
    def fault(r):
        if abs(r["twice"]) >= 1e-4:
            return 2
        if r["last_loss"] / r["first_loss"] >= 0.9:
            return 1
        if not math.isclose(r["later"], 0, abs_tol=1e-4):
            return 3
        if math.isclose(r["source"], 0, abs_tol=1e-4):
            return 4
        return 5 if r["forced"] > r["free"] + 0.2 else 0

    return list(map(fault, records))


# right
def by_overwrites(records):
    """From the weakest reason to the strongest, each of which overwrites those before."""
    answers = []
    for row in records:
        number = 5 * (row["forced"] - row["free"] > 0.2)
        if row["source"] <= 1e-4:
            number = 4
        if row["later"] >= 1e-4:
            number = 3
        if row["first_loss"] - row["last_loss"] < row["first_loss"] / 10:
            number = 1
        if row["twice"] >= 1e-4:
            number = 2
        answers.append(number)
    return torch.tensor(answers)


# wrong: the gap is asked first
# named: gap_first
# points: 4
def gap(records):
    faults = []
    for r in records:
        if r["twice"] > 1e-4:
            faults.append(2)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            faults.append(1)
        elif r["forced"] - r["free"] > 0.2:
            faults.append(5)
        elif r["later"] > 1e-4:
            faults.append(3)
        elif r["source"] < 1e-4:
            faults.append(4)
        else:
            faults.append(0)
    return faults


# wrong: dropout is not asked
# named: twice_too_late
# points: 5
def not_twice(records):
    faults = []
    for r in records:
        if r["last_loss"] > 0.9 * r["first_loss"]:
            faults.append(1)
        elif r["later"] > 1e-4:
            faults.append(3)
        elif r["source"] < 1e-4:
            faults.append(4)
        elif r["forced"] - r["free"] > 0.2:
            faults.append(5)
        else:
            faults.append(0)
    return faults


# wrong: a missing shift is told by a tiny loss, not by the gap
def not_shifted_by_the_loss(records):
    def one(r):
        if r["twice"] > 1e-4:
            return 2
        if r["last_loss"] > 0.9 * r["first_loss"]:
            return 1
        if r["later"] > 1e-4:
            return 3
        if r["source"] <= 1e-4:
            return 4
        return 5 if r["last_loss"] < 0.015 else 0

    return [one(r) for r in records]


# wrong: returns names
# says: a list of numbers
def names(records):
    return ["sound" for _ in records]


# other inputs
def other_inputs(generator):
    for kinds in ("012345", "hgrwn", "5432100", "2w3n4h"):
        yield (tuple(record_of(generator, kind) for kind in kinds),)
