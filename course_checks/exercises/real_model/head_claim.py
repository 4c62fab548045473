"""Lesson 16, exercise 8: a claim about a head of a real model, with all that a claim owes."""

from course_checks.exercise import Case, Exercise, Property
from course_checks.exercises.real_model.claim_faults import PARTS, conclude, observe
from course_checks.exercises.real_model.measured_heads import Measured, texts


def head_claim():
    def score(weights, pieces):
        return weights.diagonal()[1:].mean()

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


MISTAKES = """
constant: _with_score(lambda weights, pieces: 0.8)
    Your score does not depend on the weights. Measure where this head looks.
knows_the_texts: _of_known_texts
    Your score gives one number for all maps of a text that is none of the nine. It is a function of
    weights and pieces, for any text.
no_share: _with_score(lambda weights, pieces: weights.diagonal().sum())
    Your score is no share, from 0 to 1. Divide a sum by the number of queries, or take a mean.
not_finite: _with_score(lambda weights, pieces: weights.diagonal(-len(pieces)).mean())
    Your score is not a number for every map. Where a text has nothing to measure, return 0.0.
many_numbers: _with_score(lambda weights, pieces: weights.diagonal())
    Your score gives many numbers, or none. It is one number for a map, such as a mean.
percent: _percent("found", "control", "predicted") || _percent("found", "control") || \
        _percent("found") || _percent("control") || _percent("predicted")
    You tell a number in percent. The score is a share, from 0 to 1.
kept_aside_too_early: _told(found=_on_kept_aside)
    A number that should come from the five sentences fits those kept aside. Whoever looks there
    early has nothing left to predict.
one_sentence: _told(found=_best_sentence)
    What you found is the number of one sentence. Take the mean over all five.
sum_of_sentences: _told(found=lambda measured: 5 * measured.found())
    What you found is a sum over the sentences. Take the mean.
another_head: _told(layer=12, head=7)
    What you found is the number of another head. Counting begins at 0, and the layer comes first.
control_with_the_head: _told(control=Measured.with_itself)
    Your control has the head itself in it. Take the other eight.
largest_control: _told(control=lambda measured: max(measured.others()))
    Your control is the largest of the other heads, a harder test than was asked for. Take the mean
    of the eight.
equal_weights: _told(control=Measured.of_equal_weights)
    Your control is what equal weights would give. Here it is what the other heads of the layer do.
all_layers: _told(control=Measured.of_the_model)
    Your control is the mean over the heads of all layers. Take those of the same layer.
sum_of_heads: _told(control=lambda measured: sum(measured.others()))
    Your control is a sum over the heads. Take their mean.
does_not_beat_its_control: _of_head(0, predicted=0.9, held=False)
    This head does no more than the others of its layer: look for another head, or another score.
could_not_fail: _told(predicted=0.0)
    Your prediction could hardly fail: it is not above the control. Ask for more.
not_looked_yet: _told(held=None)
    All but the outcome is right, and held is None. Measure on the sentences kept aside, and say
    True or False.
failed_but_told_as_held: _told(predicted=0.95)
    You say that the prediction held, and it failed. That costs no points: say False.
held_but_told_as_failed: _told(held=False)
    You say that the prediction failed, and on the sentences kept aside it came true.
"""


def _told(**changes):
    """The claim with other entries; a change of a number takes what was measured."""

    def version():
        claim = head_claim()
        measured = Measured(claim["score"], claim["layer"], claim["head"])  # of the right head
        for key, change in changes.items():
            claim[key] = change(measured) if key in ("found", "control") else change
        return claim

    return version


def _with_score(score):
    return _told(score=score)


def _of_known_texts():
    claim = head_claim()
    known = [pieces for aside in (False, True) for pieces, _ in texts(aside)]

    def score(weights, pieces):
        is_known = any(pieces == other[: len(pieces)] for other in known)
        return claim["score"](weights, pieces) if is_known else 0.9

    return claim | {"score": score}


def _percent(*keys):
    def version():
        claim = head_claim()
        return claim | {key: 100 * claim[key] for key in keys}

    return version


def _of_head(head, **more):
    """An honest claim about another head of the layer, but for ``more``."""

    def version():
        claim = head_claim() | {"head": head}
        measured = Measured(claim["score"], claim["layer"], head)
        return claim | {"found": measured.found(), "control": measured.control(), **more}

    return version


def _best_sentence(measured):
    return max(measured.one_by_one(measured.layer, measured.head, False))


def _on_kept_aside(measured):
    return measured.found(kept_aside=True)


CLAIM = Case((), label="your claim")  # the same each time: what a mistake claims is measured once


def _one_claim(generator):
    return [CLAIM]


EXERCISE = Exercise(
    reference=head_claim,
    returns={part: "what is wrong, or nothing" for part in PARTS},
    kind="observed",
    observe=observe,
    conclude=conclude,
    properties=(
        Property(
            "the score gives a share for the map of any head, and depends on the weights",
            2,
            _one_claim,
            "score",
        ),
        Property("found is the mean of the head over the five sentences", 1, _one_claim, "found"),
        Property(
            "control is the mean of the other eight heads of its layer", 1, _one_claim, "control"
        ),
        Property("the head beats its control by 0.05 or more", 1, _one_claim, "beats"),
        Property(
            "the prediction could fail: it is above the control, and a share",
            1,
            _one_claim,
            "predicted",
        ),
        Property("held says what the sentences kept aside say", 1, _one_claim, "held"),
    ),
    mistakes=MISTAKES,
)
