"""The words and numbers that a result shows, whatever the exercise."""

import itertools

import pytest
import torch

import course_checks as checks
from course_checks.exercise import Case
from course_checks.judge.feedback import verb
from course_checks.judge.gradient import OTHER_GRADIENT, gradient_fault
from tools.checks.exercise_sources import answers_of

wrong_ratio = answers_of("scaled_scores")["wrong_ratio"].function()
rounded = answers_of("attend_by_hand")["rounded"].function()


def test_an_argument_that_need_not_be_used_is_not_missed():
    result = checks.stay_identical(lambda heads, out_proj, x: len(heads) == 2)
    assert "never uses what it gets as out_proj." in str(result), str(result)


def test_large_inputs_are_never_taken_for_a_single_key():
    def are_shares(attention, factor):
        query, key, value = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2)
        weights = attention(factor * query, factor * key, value)[1]
        return bool((weights >= 0).all() and ((weights.sum(dim=-1) - 1).abs() <= 1e-5).all())

    for factor, seed in itertools.product((10, 1e5), range(6)):  # it draws its own numbers
        result = checks.rows_sum_to_one(lambda f, by=factor: are_shares(f, by), seed=seed)
        assert result.diagnosis in (None, "saturated"), str(result)


def test_what_was_not_judged_is_not_called_wrong():
    def calls_an_undefined_name(query, key, value):
        return undefined(query), key  # noqa: F821

    first, *rest = checks.attend_all(calls_an_undefined_name).parts
    assert first[1] == 0
    assert [got for _, got, _ in rest] == [None] * 4
    text = str(checks.attend_all(calls_an_undefined_name))
    assert "– no loop in Python (– of 1)" in text
    assert text.count("✘") == 2  # the headline and the first line


@pytest.mark.parametrize("is_cut, got", [(False, None), (True, 0)])
def test_gradients_are_not_called_cut_off_where_only_the_numbers_are_wrong(is_cut, got):
    def scores(query, key):
        query = query.detach() if is_cut else query
        right = query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5
        return right * 2 if key.dim() > 2 and not is_cut else right

    result = checks.scaled_scores(scores)
    points = {claim: points for claim, points, _ in result.parts}
    assert points["the same holds with leading dimensions, and in float64"] == int(is_cut)
    assert points["gradients reach query and key"] == got
    assert ("until the lines above it are right" in str(result)) == (not is_cut)


@pytest.mark.parametrize("place", range(4))
def test_no_number_of_an_answer_may_lose_its_gradient(place):
    def scores(query, key):
        right = query @ key.T / 2**0.5
        return torch.where(torch.arange(4).view(2, 2) == place, right.detach(), right)

    case = Case((torch.randn(2, 2), torch.randn(2, 2)))
    assert gradient_fault(checks.scaled_scores.exercise, scores, [case])[0] == OTHER_GRADIENT


def test_rounded_numbers_are_shown_with_the_digits_that_differ():
    expected, yours = checks.attend_by_hand(rounded).tables
    assert expected.decimals > 3
    digits = yours.decimals
    for i, j in yours.marked:
        assert f"{expected.rows[i][j]:.{digits}f}" != f"{yours.rows[i][j]:.{digits}f}"


def test_one_exercise_that_calls_another_that_is_not_written():
    def helper(scores):
        raise NotImplementedError()

    result = checks.stable_softmax(lambda scores: helper(scores))
    assert result.status == "error" and "not written yet" in str(result)

    def own(scores):
        raise NotImplementedError("later")

    assert checks.stable_softmax(own).status == "error"


def test_words_for_lists_and_claims_that_fit():
    text = str(checks.attend_by_hand(lambda query, keys, values: (values[0], 1 / 0)))
    assert "for a query of 2 numbers, 2 keys of 2 numbers, 2 values of 3 numbers" in text
    for name, check in checks.ALL.items():
        assert ("dtype" in check.exercise.well_behaved) == (check.exercise.kind == "tensor"), name


def test_the_line_follows_its_error():
    def float64_then_error(weights):
        if len(weights) > 2:
            raise ValueError("too long")
        return checks.softmax_jacobian.exercise.reference(weights).double()

    result = checks.softmax_jacobian(float64_then_error)
    assert "ValueError" in result.message[-1] and "dtype" in str(result)


def test_html_keeps_expected_and_yours_together():
    markup = checks.scaled_scores(wrong_ratio)._repr_html_()
    group, inputs = markup.split('<div style="display:flex;')[1:]
    assert group.startswith("flex-wrap:nowrap") and inputs.startswith("flex-wrap:wrap")
    assert "expected" in group and "yours" in group and "input query" in inputs
    assert "* = differs. Blue: above 0. Orange: below 0." in markup
    assert "<code>checks.scaled_scores(scaled_scores, seed=" in markup


def test_a_mistake_next_to_another_is_not_named():
    """It would be the first that comes to mind, and mending it would not be enough."""

    def two_mistakes(scores):  # clamped is one, and is what large scores show alone
        scores = scores.clamp(-80, 80)
        numerators = scores.exp() if scores.dim() > 2 else 2**scores
        return numerators / numerators.sum(dim=-1, keepdim=True)

    for seed in range(6):
        result = checks.stable_softmax(two_mistakes, seed=seed)
        assert result.diagnosis is None and "This is not right yet: each row" in str(result)


def test_indices_and_counts_are_whole_numbers():
    def next_layer(*args):
        layer, head, weight = checks.subject_head.exercise.reference(*args)
        return layer + 1, head, weight

    result = checks.subject_head(next_layer, seed=1)
    expected, yours = (table.cell(0, 0) for table in result.tables)
    assert int(yours) == int(expected) + 1 and "." in result.tables[0].cell(0, 2)
    assert f"Your answer is ({yours}, " in str(result) and f"expected ({expected}, " in str(result)
    assert "off by" not in str(result)
    positions = result.inputs[0]
    assert all(positions.cell(0, i).isdigit() for i in range(len(positions.rows[0])))


def test_verbs_go_with_their_nouns():
    plural = set()
    for check in checks.ALL.values():
        plural |= {part for part in check.exercise.returns if verb(part, "has") == "have"}
    assert {"weights", "scores", "tokens", "heads", "probabilities", "bytes"} <= plural
    assert not plural & {"cross", "bias", "mask", "output"}

    def memory_of_one(source_lengths, target_lengths, source_len, target_len):
        exercise = checks.three_masks.exercise
        encoder, decoder, cross = exercise.reference(
            source_lengths, target_lengths, source_len, target_len
        )
        return encoder, decoder, cross[0]

    text = str(checks.three_masks(memory_of_one))
    assert "Your cross has shape" in text, text


def test_columns_that_only_yours_has_are_whole_too():
    def wider_mask(length, window):
        return torch.ones(length, length + 2, dtype=torch.bool)

    def wider_indices(target, start):
        return torch.cat((target, target), dim=1)

    for check, answer in (
        (checks.sliding_window_mask, wider_mask),
        (checks.shift_right, wider_indices),
    ):
        expected, yours = check(answer, seed=0).tables
        assert len(yours.rows[0]) > len(expected.rows[0])
        cells = [yours.cell(0, column) for column in range(len(yours.rows[0]))]
        assert all(cell.isdigit() for cell in cells), cells


def test_columns_that_only_yours_has_may_be_no_whole_numbers():
    """An answer of indices and a score: what a further number is, nobody can know."""

    def one_more(*args):
        return (*checks.subject_head.exercise.reference(*args), 0.25, 2)

    yours = checks.subject_head(one_more, seed=1).tables[1]
    assert [yours.cell(0, i) for i in (3, 4)] == ["0.250", "2.000"]


def test_a_mask_of_numbers_stands_beside_the_boolean_one():
    def additive(query_len, key_len):
        return torch.zeros(query_len, key_len)

    expected, yours = checks.causal_mask(additive).tables
    assert (expected.cell(0, 0), yours.cell(0, 0)) == ("1", "0")


def test_nothing_is_said_twice():
    for seed in range(5):
        text = str(checks.scaled_scores(wrong_ratio, seed=seed))
        assert text.count("times what it should be") == 1


def test_a_claim_stands_beside_what_it_builds_on():
    def float64_fails(query, key):
        right = checks.scaled_scores.exercise.reference(query, key)
        return right + (right.dtype == torch.float64)

    first, *_ = (item.claim for item in checks.scaled_scores.exercise.properties)
    message = checks.scaled_scores(float64_fails).message
    assert message[0] == f"This is right: {first}."
    assert message[1].startswith("This is not right yet: the same holds")


def test_one_hot_weights_are_not_called_rounded():
    def hard(query, keys, values):
        _, weights = checks.attend_by_hand.exercise.reference(query, keys, values)
        chosen = weights.index(max(weights))
        return values[chosen], [float(i == chosen) for i in range(len(weights))]

    for seed in range(6):
        assert "rounded" not in str(checks.attend_by_hand(hard, seed=seed))


def test_a_stack_that_unpacks_is_as_good_as_a_tuple():
    def stacked(*args):
        return torch.stack(checks.project_qkv.exercise.reference(*args))

    assert checks.project_qkv(stacked).status == "pass"
    only_weights = checks.attend_all(lambda query, key, value: torch.ones(2, len(key)))
    assert "It looks as if you returned only one of the two." in str(only_weights)


def test_where_one_of_two_answers_is_right_it_is_said():
    def off_output(query, key, value):
        output, weights = checks.attend_all.exercise.reference(query, key, value)
        return output + 0.3 * output.sin(), weights

    result = checks.attend_all(off_output, seed=0)
    assert result.diagnosis is None
    assert "Your weights are right: it is the other answer." in str(result)
    both_wrong = checks.attend_all(lambda query, key, value: (value, query), seed=0)
    assert "it is the other answer" not in str(both_wrong)


def test_what_a_part_of_the_judgement_is_called_is_not_told():
    def all_states(num_layers, window, key_dim, distance, pairs):
        layers = checks.choose_layers.exercise.reference(
            num_layers, window, key_dim, distance, pairs
        )
        return ["state"] * num_layers if "state" in layers and pairs < key_dim else layers

    result = checks.choose_layers(all_states, seed=0)
    assert result.diagnosis is None
    assert "This is not right yet: no cheaper layers would do." in str(result)
    assert "Your found" not in str(result)
