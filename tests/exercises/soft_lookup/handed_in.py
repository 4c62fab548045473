"""Answers to the exercises on soft lookup, of the kind that students hand in."""

import torch

import course_checks as checks


def attention_inputs(query_len=3, key_len=5, factor=1.0):
    shapes = (query_len, 4), (key_len, 4), (key_len, 2)
    return tuple(factor * torch.randn(shape) for shape in shapes)


def are_shares(attention, factor=1.0, atol=1e-5):
    weights = attention(*attention_inputs(factor=factor))[1]
    return bool((weights >= 0).all() and ((weights.sum(dim=-1) - 1).abs() <= atol).all())


def on_zeros(attention):
    weights = attention(torch.zeros(3, 4), torch.zeros(5, 4), torch.zeros(5, 2))[1]
    random = are_shares(attention)
    return random and bool((weights.sum(dim=-1) - 1).abs().max() < 1e-4)


def exactly_one(attention):
    return bool((attention(*attention_inputs(64, 16))[1].sum(dim=-1) == 1).all())


def asserts_and_returns(attention):
    assert are_shares(attention)
    return True


def on_whole_numbers(attention):
    attention(torch.tensor([[1, 2]]), torch.tensor([[3, 4]]), torch.tensor([[5]]))


def attend_one_by_one(query, key, value):
    weights = torch.stack([torch.softmax(key @ row, dim=-1) for row in query])
    return weights @ value, weights


def calls_the_loop(query, key, value):
    return attend_one_by_one(query, key, value)


def cold_is_zero(scores, temperature):
    is_cold = temperature < 1e-6
    return checks.weights_at.exercise.reference(scores, 0 if is_cold else temperature)


def through_float32(scores, temperature):
    return checks.weights_at.exercise.reference(scores.float(), temperature)


def softmax_of_mask(scores, temperature):
    return torch.softmax((scores == scores.amax()).int(), dim=-1)


def temperature_first(temperature, scores):
    return torch.softmax(scores / temperature, dim=-1)


def forgotten_keepdim(scores):
    return scores.exp() / scores.exp().sum(dim=-1)


def max_with_indices(scores):
    shifted = scores - scores.max(dim=-1)
    return shifted.exp()


def only_the_weights(query, keys, values):
    return checks.attend_by_hand.exercise.reference(query, keys, values)[1]


def nested_output(query, keys, values):
    output, weights = checks.attend_by_hand.exercise.reference(query, keys, values)
    return [output], weights


def sorts_the_keys(query, keys, values):
    answer = checks.attend_by_hand.exercise.reference(query, keys, values)
    keys.append([0.0])
    return answer


def rounded(query, keys, values):
    output, weights = checks.attend_by_hand.exercise.reference(query, keys, values)
    return [round(x, 3) for x in output], [round(w, 3) for w in weights]


def of_the_notebook(query, key, value):
    return torch.ones(8, 64) @ key, value


def ignores_the_keys(query, key, value):
    weights = torch.softmax(query @ query.T, dim=-1)
    return weights @ query, weights


ANSWERS = [
    # (exercise, answer, points or None, diagnosis, what the text must say)
    ("rows_sum_to_one", on_zeros, 5, None, "All of it is right"),
    ("rows_sum_to_one", lambda f: are_shares(f, atol=0.3), None, "too_loose", "too large a diff"),
    ("rows_sum_to_one", lambda f: are_shares(f, atol=0.5), None, "too_loose", "too large a diff"),
    ("rows_sum_to_one", exactly_one, 0, "exact", "exactly 1"),
    ("rows_sum_to_one", asserts_and_returns, 0, None, "return False instead"),
    ("rows_sum_to_one", on_whole_numbers, 0, None, "These are whole numbers (or True"),
    ("attend_all", calls_the_loop, 5, None, "loops in Python in attend_one_by_one, which it calls"),
    ("attend_all", lambda query, key, value: query @ key, 0, None, "(2x3 and 4x3)"),
    ("attend_all", lambda query, key, value: query @ key, 0, None, "must be transposed"),
    ("attend_all", lambda query, key, value: query.T @ key, 0, None, "(3x2 and 4x3)"),
    ("attend_all", of_the_notebook, 0, None, "8x64 is no shape that we passed: do you use a var"),
    ("attend_all", ignores_the_keys, 0, None, "never uses what it gets as key and value"),
    ("weights_at", cold_is_zero, 5, None, "is not right yet: at a very low temperature too"),
    ("weights_at", through_float32, 5, "dtype", "Your weights have dtype torch.float32"),
    ("weights_at", softmax_of_mask, 0, None, "need floats"),
    ("weights_at", temperature_first, 0, None, "defined with (temperature, scores)"),
    ("stable_softmax", forgotten_keepdim, 0, None, "keepdim=True keeps the axis"),
    ("stable_softmax", max_with_indices, 0, None, "use amax, or .values"),
    ("attend_by_hand", only_the_weights, 0, None, "returned only one of the two"),
    ("attend_by_hand", nested_output, 0, None, "a list whose first entry is a list"),
    ("attend_by_hand", sorts_the_keys, 4, "changes_input", "x = sorted(x) does"),
    ("attend_by_hand", rounded, 0, None, "do not round what you return"),
]
