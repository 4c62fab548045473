"""Lesson 09, exercise 5: from the symptoms of a trained model to the fault in its loop."""

import torch

from course_checks.exercise import Case, Exercise, Property


def broken_loops(records):
    answers = []
    for record in records:
        if record["twice"] > 1e-4:
            answers.append(2)
        elif record["last_loss"] > 0.9 * record["first_loss"]:
            answers.append(1)
        elif record["later"] > 1e-4:
            answers.append(3)
        elif record["source"] < 1e-4:
            answers.append(4)
        elif record["forced"] - record["free"] > 0.2:
            answers.append(5)
        else:
            answers.append(0)
    return answers


MISTAKES = """
gap_first: _broken_loops_with(order=(2, 1, 5, 3, 4)) || _broken_loops_with(order=(2, 1, 3, 5, 4))
    Every gap between forced and free is a missing shift for you. A look ahead and an unread source
    make that gap too: ask for those first.
gap_before_all: _broken_loops_with(order=(5, 2, 1, 3, 4))
    You ask for the gap between forced and free before anything else, and most faults make one: ask
    for it last. (Are there five `if`s in a row? Then the last that holds wins: use `elif`.)
twice_too_late: _broken_loops_with(order=(1, 3, 2, 4, 5))
    You ask too late whether two calls agree, or never. With dropout on, all logits change.
exactly_zero: record["twice"] > 1e-4 -> record["twice"] > 0 && record["later"] > 1e-4 -> \
        record["later"] > 0 && record["source"] < 1e-4 -> record["source"] == 0
or: record["later"] > 1e-4 -> record["later"] > 0
or: record["source"] < 1e-4 -> record["source"] == 0
    You compare a change of the logits with exactly 0. They round a little: below 1e-4 is none.
source_turned_round: record["source"] < 1e-4 -> record["source"] > 1e-4
    You name an unread source where the logits change with it. It is unread where they do not.
free_alone: record["forced"] - record["free"] > 0.2 -> record["free"] < 0.8 || record["free"] < 0.85
    You look at free alone. On a hard task a sound model is low in both: compare it with forced.
forced_alone: record["forced"] - record["free"] > 0.2 -> record["forced"] > 0.9
    You look at forced alone. A sound model is high as well: compare it with free.
must_rise: > 0.9 * -> >= || >
    You ask only whether the loss is no lower than at the start. It wanders a little by chance: ask
    whether it fell by a tenth.
loss_alone: > 0.9 * record["first_loss"] -> > 2.0 || > 0.9
    You look at the loss at the end alone. With many tokens it begins larger: compare the two.
gap_either_way: record["forced"] - record["free"] > -> abs(record["forced"] - record["free"]) >
    Your gap counts in both directions. Fault 5 has forced above free: leave out abs.
never_sound: append(0) -> append(5)
    You find a fault in every record. Where nothing is wrong, the answer is 0.
any_gap: > 0.2 -> > 0 || > 0.02
    Any gap between forced and free is a missing shift for you. A sound model has a little one: it
    counts above 0.2.
by_a_difference: > 0.9 * record["first_loss"] -> > record["first_loss"] - 0.9 || \
        > record["first_loss"] - 0.5 || > record["first_loss"] - 1.0
    You compare the difference of the two losses with a fixed number. With few tokens both are
    small: ask whether the last is more than 0.9 times the first.
limit_too_high: 1e-4 => 0.01 || record["later"] > 1e-4 -> record["later"] > 0.01 || \
        record["source"] < 1e-4 -> record["source"] < 0.01
    Your limit for a change of the logits is too high. A change counts from 1e-4 on.
first_record_only: return answers -> return answers[:1]
    You return after the first record: is your return inside the loop?
last_two_exchanged: append(4) -> append(5) && append(5) -> append(4)
    You have exchanged 4 and 5: an unread source is 4, a missing shift is 5.
"""

TESTS = {
    2: lambda row: row["twice"] > 1e-4,
    1: lambda row: row["last_loss"] > 0.9 * row["first_loss"],
    3: lambda row: row["later"] > 1e-4,
    4: lambda row: row["source"] < 1e-4,
    5: lambda row: row["forced"] - row["free"] > 0.2,
}


def _broken_loops_with(order=(2, 1, 3, 4, 5), otherwise=0, **tests):
    """A version with the tests in another order, or with other tests: ``if_3=...``."""
    asked = TESTS | {int(name[3:]): test for name, test in tests.items()}

    return lambda records: [next((n for n in order if asked[n](row)), otherwise) for row in records]


def record_of(generator, kind):
    """The symptoms of one loop. The letters: what the loop is, and how plainly it shows.

    0 to 5 as in the exercise; h and H are sound on a hard task (H is as seldom right as whoever
    learned nothing), g sound on one with many tokens (a large loss), f sound on one with few (a
    small loss), e sound, never wrong and as good by itself, b sound and better by itself, u sound
    with a faint source; w and W learned nothing although the loss wanders down a little, z is 4
    without any rounding, k with little, l is 3 by a small change. h, w, 4, l, n, r and u lie near a
    limit.
    """

    def draw(least, most):
        return least + (most - least) * float(torch.rand((), generator=generator))

    rounding, large = (lambda: 10 ** draw(-7, -4.1)), (lambda: draw(0.05, 3.0))
    row = {"first_loss": draw(2.5, 3.5), "last_loss": draw(0.05, 0.4)}
    row |= {"forced": draw(0.95, 1.0), "free": draw(0.9, 0.95)}
    row |= {"later": rounding(), "source": large(), "twice": 0.0}
    if kind == "1":
        row |= {"last_loss": row["first_loss"] * draw(1.0, 1.05)}
    if kind in "wW":
        row |= {"last_loss": row["first_loss"] * (draw(0.91, 0.94) + 0.05 * (kind == "W"))}
    if kind == "2":
        row |= {"twice": large(), "later": large()}
        row |= {"forced": draw(0.8, 0.9), "free": draw(0.3, 0.5)}
    if kind in "3l":
        row |= {
            "later": large() if kind == "3" else draw(1.5e-4, 5e-4),
            "forced": draw(0.98, 1.0),
            "free": draw(0.05, 0.2),
        }
    if kind in "4kz":
        source = {"4": draw(2e-5, 8e-5), "k": draw(1e-7, 4e-6), "z": 0.0}
        row |= {"source": source[kind], "last_loss": draw(1.3, 1.8)}
        row |= {"forced": draw(0.5, 0.6), "free": draw(0.1, 0.2)}
    if kind == "5":
        row |= {"last_loss": draw(0.001, 0.01), "forced": 1.0, "free": draw(0.05, 0.2)}
    if kind == "n":  # not shifted, and yet right where tokens repeat
        row |= {"last_loss": draw(0.001, 0.01), "forced": 1.0, "free": draw(0.76, 0.79)}
    if kind in "hH":
        row |= {"last_loss": row["first_loss"] * draw(0.82, 0.88), "forced": draw(0.42, 0.45)}
        row |= {"free": draw(0.26, 0.28)}
    if kind in "1wWH":
        row |= {"forced": draw(0.05, 0.1), "free": draw(0.05, 0.1)}
    if kind == "g":
        row |= {"first_loss": draw(9.0, 10.0), "last_loss": draw(4.5, 6.5)}
    if kind == "f":
        row |= {"first_loss": draw(0.3, 0.45), "last_loss": draw(0.02, 0.05)}
    if kind == "e":
        row |= {"last_loss": draw(0.001, 0.01), "forced": 1.0, "free": 1.0}
    if kind == "b":
        row |= {"last_loss": draw(0.6, 0.9), "forced": draw(0.5, 0.6), "free": draw(0.85, 0.95)}
    if kind == "u":
        row |= {"source": draw(1.5e-4, 5e-4)}
    if kind == "r":  # rounding between two calls, as on a GPU
        row |= {"twice": draw(2e-5, 8e-5)}
    return row


def _records(*batches):
    return lambda generator: [
        Case((tuple(record_of(generator, kind) for kind in kinds),), label=f"{len(kinds)} records")
        for kinds in batches
    ]


EXERCISE = Exercise(
    reference=broken_loops,
    returns={"numbers": "one whole number for each record"},
    kind="numbers",
    properties=(
        Property(
            "it tells a sound loop from one that learned nothing", 1, _records("0", "1", "0wW10")
        ),
        Property(
            "a model that answers otherwise each time is asked nothing else",
            1,
            _records("2", "022"),
        ),
        Property(
            "of three faults with the same gap, each is named",
            2,
            _records("3", "4", "z", "5", "l34kn5z"),
        ),
        Property(
            "what is sound stays unnamed, though hard or rounded",
            1,
            _records("h", "rg", "feu", "hHrgb0nf"),
        ),
    ),
    mistakes=MISTAKES,
)
