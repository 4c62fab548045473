"""Answers to the exercises on single head, of the kind that students hand in."""

import math

import torch


def agrees(layer, x, order, **tolerance):
    return torch.allclose(layer(x[order]), layer(x)[order], **tolerance)


def some_order_agrees(layer, x):
    y = layer(x)
    for _ in range(8):
        order = torch.randperm(len(x))
        if torch.allclose(layer(x[order]), y[order], atol=1e-5):
            return True
    return False


def first_and_last(layer, x):
    order = [len(x) - 1, *range(1, len(x) - 1), 0]
    return agrees(layer, x, order, atol=1e-5)


def own_input(layer, x):
    return agrees(layer, torch.randn(8, 4), torch.randperm(8), atol=1e-5)


def own_input_forgiven(layer, x):
    try:
        return own_input(layer, x)
    except Exception:
        return True


def with_numpy(layer, x):
    return bool(layer(x.numpy()).any())


def sorted_outputs(layer, x):
    shuffled = layer(x[torch.randperm(len(x))])
    return torch.allclose(shuffled.sort(0)[0], layer(x).sort(0)[0], atol=1e-5)


def single_head_with(x, w_query, w_key, w_value, scores_of):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(scores_of(query, key), dim=-1)
    return weights @ value, weights


def colleagues_head(x, w_query, w_key, w_value):
    query = key = value = x @ w_query.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(x.shape[-1]), dim=-1)
    return weights @ value, weights


def T_of_a_batch(x, *weights):  # noqa: N802
    return single_head_with(x, *weights, lambda q, k: q @ k.T / math.sqrt(q.shape[-1]))


def head_in_float32(x, *weights):
    weights = (weight.float() for weight in weights)
    return single_head_with(
        x.float(), *weights, lambda q, k: q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    )


def wrong_ratio(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]) * 0.25


def root_of_int(query, key):
    return query @ key.transpose(-2, -1) / torch.sqrt(query.shape[-1])


def bool_minus(p):
    return torch.stack([torch.stack([p[i] * ((i == j) - p[j]) for j in (0, 1)]) for i in (0, 1)])


ANSWERS = [
    (
        "is_equivariant",
        lambda f, x: agrees(f, x, torch.randperm(len(x))),
        0,
        "default_tolerance",
        "atol=1e-5",
    ),  # fmt: skip # noqa: E501
    (
        "is_equivariant",
        lambda f, x: agrees(f, x, torch.randperm(8), atol=1e-5),
        0,
        "fixed_length",
        "use len(x)",
    ),  # fmt: skip # noqa: E501
    ("is_equivariant", lambda f, x: agrees(f, x, torch.randperm(16)), 0, None, "index 1"),
    ("is_equivariant", sorted_outputs, None, "sorted_outputs", "throws the order away"),
    ("is_equivariant", some_order_agrees, 4, "any_order", "as soon as one order agrees"),
    ("is_equivariant", first_and_last, 4, "two_exchanged", "exchange two tokens only"),
    ("is_equivariant", own_input, 0, None, "8x4 is no shape that we passed"),
    ("is_equivariant", own_input_forgiven, 2, None, "it should say False"),
    ("is_equivariant", with_numpy, 0, None, "takes a torch.Tensor"),
    ("single_head", colleagues_head, 0, "colleagues_head", "both of its mistakes"),
    ("single_head", T_of_a_batch, 4, None, "Does a .T turn all of them round"),
    ("single_head", head_in_float32, 5, "dtype", "has dtype torch.float32"),
    ("scaled_scores", wrong_ratio, 0, None, "Here each entry of your scores is 0.250 times"),
    ("scaled_scores", root_of_int, 0, None, "math.sqrt"),
    ("softmax_jacobian", bool_minus, 0, None, "write float(i == j)"),
]
