"""What is said of an answer that is half-way or wrong: enough to mend it, nothing that misleads."""

import re

import pytest
import torch

import course_checks as checks


def own_token(weights, pieces):
    return weights.diagonal()[1:].mean()


def same_word(weights, pieces):
    """Stops in a text where no word is repeated."""
    pairs = [(i, j) for i in range(len(pieces)) for j in range(i) if pieces[i] == pieces[j]]
    return torch.stack([weights[i, j] for i, j in pairs]).mean()


def out_of_range(weights, pieces):
    return weights[99, 0]


def claim(**changes):
    own = {"layer": 11, "head": 6, "claim": "It looks at its own token.", "score": own_token}
    return lambda: own | {"found": 0.80, "control": 0.27, "predicted": 0.7, "held": None} | changes


@pytest.mark.parametrize(
    ("changes", "not_earned"),
    [
        ({}, {"held"}),
        ({"found": 0.5}, {"found", "held"}),
        ({"control": 0.5}, {"control", "held"}),
        ({"predicted": 0}, {"the prediction", "held"}),
    ],
)
def test_a_claim_is_judged_before_its_prediction_is_measured(changes, not_earned):
    result = checks.head_claim(claim(**changes))
    lacking = [words for words, earned, possible in result.parts if earned != possible]
    assert len(lacking) == len(not_earned)
    assert all(any(words.startswith(name) for words in lacking) for name in not_earned)


def test_no_number_of_the_sentences_kept_aside_is_told_before_the_student_has_looked():
    assert "kept aside the head has" in str(checks.head_claim(claim(held=False)))
    assert "kept aside the head has" not in str(checks.head_claim(claim()))


def test_a_score_that_stops_in_some_texts_is_pointed_to_the_rule():
    result = checks.head_claim(claim(score=same_word))
    assert "non-empty TensorList" in str(result)
    assert "Where a text has nothing to measure, return 0.0." in str(result)
    assert "return 0.0" not in str(checks.head_claim(claim(score=out_of_range)))


def _free(chosen, order, control, layer):
    return [h for h in order if h[0] == layer and h not in chosen and h not in control]


def first_of_nothing(chosen, order):
    control = []
    for layer, _ in chosen:
        control.append(_free(chosen, order, control, layer)[0])
    return control


def beyond_the_end(chosen, order):
    return [order[len(order) + len(chosen)]]


def test_where_no_head_is_left_the_error_says_so():
    assert "one layer has no free head left" in str(checks.matched_control(first_of_nothing))


def test_another_index_error_is_left_as_it_is():
    assert "no free head left" not in str(checks.matched_control(beyond_the_end))


def test_the_verdict_is_the_judges_and_what_was_seen_are_numbers():
    exercise = checks.head_claim.exercise
    seen = exercise.observe(claim(held=True))
    assert not any(exercise.conclude(seen).values())
    assert not any(isinstance(value, str) for value in [*seen.values(), *seen["given"]])
    assert exercise.conclude(seen | {"found": 0.5})["found"]
    assert exercise.conclude(seen | {"given": seen["given"][:50]})["score"]


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+\.\d+", text)]


@pytest.mark.parametrize("seed", range(6))
def test_the_smallest_ring_can_be_computed_again_from_what_is_shown(seed):
    def ring_output(query, keys, values, rank, is_causal):
        return values[rank] + 3.0

    shown = str(checks.ring_output(ring_output, seed=seed))
    label = re.search(r"device 0 of 2, 1 token each, keys (.*), values (.*)\.", shown)
    keys, values = (torch.tensor(numbers(text)).view(2, -1) for text in label.groups())
    query = torch.tensor(numbers(shown.split("input query")[1].split("\n")[1]))
    weights = (keys @ query / 2**0.5).softmax(0)
    want, got = numbers(shown.split("yours\n")[1].split("\n")[0])
    assert want == pytest.approx(float(weights @ values), abs=0.01)
    assert got == pytest.approx(float(values[0]) + 3.0, abs=0.01)


def test_key_heads_need_not_know_how_many_query_heads_there_are():
    """The smaller of the two other numbers divides the larger: the right closed form needs none."""

    def beside(rank, num_devices, num_heads, num_kv_heads):
        return [rank * num_kv_heads // num_devices + 1, 1, 1]

    def alone(rank, num_devices, num_heads, num_kv_heads):
        return [rank + 1, num_devices, 1]

    texts = [str(checks.key_heads_of(function, seed=0)) for function in (beside, alone)]
    assert "never uses" not in texts[0]
    assert "never uses what it gets as num_kv_heads." in texts[1]


def test_one_of_a_thing_is_not_called_several():
    texts = [
        str(checks.ALL[name](lambda *args: args[0] * 0 + 1, seed=0))
        for name in ("part_of_device", "ring_output")
    ]
    assert "1 head of" in texts[0] and "1 token each" in texts[1]
