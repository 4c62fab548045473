"""What the students' test of lesson 07, exercise 4 is run on: functions that give positions to x
(batch, length, d_model)."""

import torch
from torch import cat, float64, stack

from course_checks.exercise import Case, randn
from course_lib.attention.positions import sinusoidal_table

MAX_LEN, D_MODEL = 512, 4


def places(*sizes):
    return torch.arange(*sizes, device="cpu")


def angles(place, features):
    """(length, features / 2)."""
    return place.to(float64)[:, None] * 10000 ** (-places(0, features, 2) / features)


def waves(features):
    return sinusoidal_table(MAX_LEN, features, device="cpu")


def turned(place_of=lambda place: place, halves=False):
    """x (..., length, features) with each place p turned by the angles of ``place_of(p)``."""

    def turn(x):
        angle = angles(place_of(places(x.shape[-2])), x.shape[-1])
        cos, sin = angle.cos(), angle.sin()
        wide = x.to(float64)
        a, b = wide.chunk(2, dim=-1) if halves else wide.unflatten(-1, (-1, 2)).unbind(dim=-1)
        turned = (a * cos - b * sin, b * cos + a * sin)
        joined = cat(turned, dim=-1) if halves else stack(turned, dim=-1).flatten(-2)
        return joined.to(x.dtype)

    return turn


def _added(table, row_of=lambda x: places(x.shape[1])):
    """``row_of(x)`` says which row of the table each token gets."""
    return lambda x: x + table[row_of(x)]


def _by_sentence(x):
    return places(x.shape[0])[:, None]  # (batch, 1)


def _numbered_on(x):
    return places(x.shape[0] * x.shape[1]).view(x.shape[:2])  # (batch, length)


def _first_sentences(table, count):
    return lambda x: cat([x[:count] + table[: x.shape[1]], x[count:]])


def _in_features(signs):
    """A fifth of the place times ``signs`` (d_model,) is added: to one feature, or to two."""
    signs = torch.tensor(signs, device="cpu")
    return lambda x: x + 0.2 * places(x.shape[1])[:, None] * signs


def _batch_case(generator, label, add_positions, expected, batch, length):
    x = randn(generator, batch, length, D_MODEL)
    return Case((add_positions, x), expected, f"{label} (batch {batch}, length {length})")


def _batch_cases(generator, right, wrong):
    sizes = ((3, 9), (6, 6), (2, 8))
    functions = [(*pair, True) for pair in right.items()]
    functions += [(*pair, False) for pair in wrong.items()]
    return [
        _batch_case(generator, *function, *sizes[i % len(sizes)])
        for i, function in enumerate(functions)
    ]


def learned(generator, std=0.5, features=D_MODEL):
    return std * randn(generator, MAX_LEN, features)


def by_batch(generator):
    table = learned(generator)
    right = {
        "sinusoids that are added": _added(waves(D_MODEL)),
        "a learned table": _added(table),
        "tokens that are turned by the angles of their place": turned(),
        "a learned table added to 2 times the tokens": lambda x: 2 * x + table[: x.shape[1]],
        "tokens times 1 + place / 10": lambda x: x * (1 + places(x.shape[1])[:, None] / 10),
    }
    wrong = {
        "a table that is indexed by the sentence": _added(table, _by_sentence),
        "a function that adds nothing": lambda x: x,
        "a function that adds row 0 to every token": lambda x: x + table[0],
        "a function that doubles the tokens and adds nothing": lambda x: 2 * x,
    }
    return _batch_cases(generator, right, wrong)


def shared_places(generator):
    table = learned(generator)
    right = {
        "a learned table": _added(table),
        "rows in another order": _added(table.flip(0)),
        "a table of 9 rows": _added(table[:9]),
        "0.2 times the place added to the first feature": _in_features([1.0, 0.0, 0.0, 0.0]),
        "0.2 times the place added to the last feature": _in_features([0.0, 0.0, 0.0, 1.0]),
        "0.2 times the place added to one feature and taken from another": _in_features(
            [0.0, 1.0, -1.0, 0.0]
        ),
    }
    wrong = {
        "rows that begin again after 4 places": _added(table, lambda x: places(x.shape[1]) % 4),
        "places from 3 on that all get row 3": _added(
            table, lambda x: places(x.shape[1]).clamp(max=3)
        ),
        "places from 6 on that all get row 6": _added(
            table, lambda x: places(x.shape[1]).clamp(max=6)
        ),
        "two neighbours in each row": _added(table, lambda x: places(x.shape[1]) // 2),
        "a row for the first token, and nothing for the others": lambda x: cat(
            [x[:, :1] + table[0], x[:, 1:]], dim=1
        ),
    }
    return _batch_cases(generator, right, wrong)


def sentences(generator):
    table, other = learned(generator), learned(generator)
    right = {"a learned table": _added(table), "turned tokens": turned()}
    wrong = {
        "places that are numbered on from one sentence to the next": _added(table, _numbered_on),
        "a row for the place and another for the sentence": lambda x: (
            x + table[: x.shape[1]] + other[_by_sentence(x)]
        ),
        "positions for the first sentence only": _first_sentences(table, 1),
        "places that begin with the size of the batch": _added(
            table, lambda x: places(x.shape[1]) + len(x)
        ),
        "a learned table, minus the mean over the batch": lambda x: (
            x + table[: x.shape[1]] - x.mean(dim=0)
        ),
        "positions for all sentences but the second": lambda x: (
            x + table[: x.shape[1]] * (places(len(x)) != 1)[:, None, None]
        ),
        "positions for the last sentence only": lambda x: cat(
            [x[:-1], x[-1:] + table[: x.shape[1]]]
        ),
        "positions for the first two sentences only": _first_sentences(table, 2),
    }
    return _batch_cases(generator, right, wrong)


def small(generator):
    table = learned(generator)
    right = {
        "a table of numbers up to 0.02": _added(0.02 * waves(D_MODEL)),
        "a learned table, off by a rounding error": lambda x: (
            x + table[: x.shape[1]] + 1e-7 * len(x)
        ),
    }
    wrong = {
        "a table that is indexed by the sentence": _added(table, _by_sentence),
        "a table of numbers up to 0.02, numbered on from one sentence to the next": _added(
            0.02 * waves(D_MODEL), _numbered_on
        ),
    }
    return _batch_cases(generator, right, wrong)
