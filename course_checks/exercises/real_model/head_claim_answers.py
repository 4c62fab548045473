"""Answers to head_claim (lesson 16, exercise 8), right and wrong, as students write them."""

import course_checks as checks
from course_lib.data.recorded import load_maps


def _claim(**changes):
    return lambda: checks.head_claim.exercise.reference() | changes


# right
def previous():
    """A loop over the queries, and a prediction that failed."""

    def on_previous(weights, pieces):
        found = [weights[i, i - 1].item() for i in range(2, len(pieces))]
        return sum(found) / len(found)

    return {
        "layer": 16,
        "head": 0,
        "claim": "From the third token on, queries look at the token before.",
        "score": on_previous,
        "found": 0.784,
        "control": 0.13,
        "predicted": 0.9,
        "held": False,
    }


# right
def by_first():
    """A share of the queries, as a tensor."""
    return dict(
        layer=29,
        head=5,
        claim="Nearly all of its queries give the first token the largest weight.",
        score=lambda weights, pieces: (weights[1:].argmax(dim=-1) == 0).double().mean(),
        found=1,
        control=0.69,
        predicted=0.9,
        held=True,
    )


# wrong: a tuple instead of a dictionary
def a_tuple():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return 16, 0, "It looks at the token before.", score, 0.80, 0.21, 0.7, True


# wrong: says that a prediction held which failed
# named: failed_but_told_as_held
# points: 7
def wishful():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.9,
        "held": True,
    }


# wrong: leaves out the control
# says: has no 'control'
def without_a_control():
    claim = checks.head_claim.exercise.reference()
    return {key: entry for key, entry in claim.items() if key != "control"}


# wrong: counts layers from 1
# says: from 0 to 29. Yours is 30
layer_31 = _claim(layer=30)


# wrong: writes a number as text
# says: 'found' should be a number
number_as_text = _claim(found="0.8")


# wrong: says yes in place of True
# says: should be True or False
held_as_text = _claim(held="yes")


# wrong: gives the score in place of its function
# says: the function itself
score_as_number = _claim(score=0.8)


# wrong: claims one word
# says: a sentence of four words
one_word = _claim(claim="local")


# wrong: its score divides by nothing
# says: ZeroDivisionError
def _divides_by_nothing(weights, pieces):
    return sum([]) / len([])


stopping_score = _claim(score=_divides_by_nothing)


# wrong: tells another number than the score gives
# points: 7
# says: You say 0.5; the mean over the five
another_number = _claim(found=0.5)


# wrong: the score knows the texts
# named: knows_the_texts
def right_on_known_texts():
    def score(weights, pieces):
        known = any(pieces == other[: len(pieces)] for other, _ in KNOWN)
        return weights.diagonal()[1:].mean() if known else 0.9

    KNOWN = [*load_maps().values(), *load_maps(kept_aside=True).values()]
    return {
        "layer": 11,
        "head": 6,
        "claim": "Each query after the first looks mostly at its own token.",
        "score": score,
        "found": 0.80,
        "control": 0.27,
        "predicted": 0.7,
        "held": True,
    }


# other inputs
def other_inputs(generator):
    yield ()
