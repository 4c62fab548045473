"""What the students' tests of lesson 07, exercises 4 and 5 are run on.

Exercise 4: functions that give positions to x (batch, length, d_model). Exercise 5: pairs of
functions that put queries and keys (length, head_dim) in their places.
"""

import torch
from torch import cat, float64, stack

from course_lib.attention.positions import sinusoidal_table
from course_lib.checks.exercise import Case, randn

MAX_LEN, D_MODEL, LENGTH, HEAD_DIM = 512, 4, 24, 8


def _range(*sizes):
    return torch.arange(*sizes, device="cpu")


def _angles(place, features):
    """(length, features / 2)."""
    return place.to(float64)[:, None] * 10000 ** (-_range(0, features, 2) / features)


def _waves(features):
    return sinusoidal_table(MAX_LEN, features, device="cpu")


def _turned(place_of=lambda place: place, halves=False):
    """x (..., length, features) with each place p turned by the angles of ``place_of(p)``."""

    def turn(x):
        angle = _angles(place_of(_range(x.shape[-2])), x.shape[-1])
        cos, sin = angle.cos(), angle.sin()
        wide = x.to(float64)
        a, b = wide.chunk(2, dim=-1) if halves else wide.unflatten(-1, (-1, 2)).unbind(dim=-1)
        turned = (a * cos - b * sin, b * cos + a * sin)
        joined = cat(turned, dim=-1) if halves else stack(turned, dim=-1).flatten(-2)
        return joined.to(x.dtype)

    return turn


def _added(table, row_of=lambda x: _range(x.shape[1])):
    """``row_of(x)`` says which row of the table each token gets."""
    return lambda x: x + table[row_of(x)]


def _by_sentence(x):
    return _range(x.shape[0])[:, None]  # (batch, 1)


def _numbered_on(x):
    return _range(x.shape[0] * x.shape[1]).view(x.shape[:2])  # (batch, length)


def _last_sentence(table):
    return lambda x: cat([x[:-1], x[-1:] + table[: x.shape[1]]])


def _first_sentences(table, count):
    return lambda x: cat([x[:count] + table[: x.shape[1]], x[count:]])


def _first_token(table):
    return lambda x: cat([x[:, :1] + table[0], x[:, 1:]], dim=1)


def _in_features(signs):
    """A tenth of the place times ``signs`` (d_model,) is added: to one feature, or to two."""
    signs = torch.tensor(signs, device="cpu")
    return lambda x: x + 0.1 * _range(x.shape[1])[:, None] * signs


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


def _learned(generator, std=0.5, features=D_MODEL):
    return std * randn(generator, MAX_LEN, features)


def by_batch(generator):
    table = _learned(generator)
    right = {
        "sinusoids that are added": _added(_waves(D_MODEL)),
        "a learned table": _added(table),
        "tokens that are turned by the angles of their place": _turned(),
        "a learned table added to 2 times the tokens": lambda x: 2 * x + table[: x.shape[1]],
        "tokens times 1 + place / 10": lambda x: x * (1 + _range(x.shape[1])[:, None] / 10),
    }
    wrong = {
        "a table that is indexed by the sentence": _added(table, _by_sentence),
        "a function that adds nothing": lambda x: x,
        "a function that adds row 0 to every token": lambda x: x + table[0],
    }
    return _batch_cases(generator, right, wrong)


def shared_places(generator):
    table = _learned(generator)
    right = {
        "a learned table": _added(table),
        "rows in another order": _added(table.flip(0)),
        "a table of 9 rows": _added(table[:9]),
        "0.1 times the place added to the first feature": _in_features([1.0, 0.0, 0.0, 0.0]),
        "0.1 times the place added to the last feature": _in_features([0.0, 0.0, 0.0, 1.0]),
        "0.1 times the place added to one feature and taken from another": _in_features(
            [0.0, 1.0, -1.0, 0.0]
        ),
    }
    wrong = {
        "rows that begin again after 4 places": _added(table, lambda x: _range(x.shape[1]) % 4),
        "places from 3 on that all get row 3": _added(
            table, lambda x: _range(x.shape[1]).clamp(max=3)
        ),
        "places from 6 on that all get row 6": _added(
            table, lambda x: _range(x.shape[1]).clamp(max=6)
        ),
        "two neighbours in each row": _added(table, lambda x: _range(x.shape[1]) // 2),
        "a row for the first token, and nothing for the others": _first_token(table),
    }
    return _batch_cases(generator, right, wrong)


def sentences(generator):
    table, other = _learned(generator), _learned(generator)
    right = {"a learned table": _added(table), "turned tokens": _turned()}
    wrong = {
        "places that are numbered on from one sentence to the next": _added(table, _numbered_on),
        "a row for the place and another for the sentence": lambda x: (
            x + table[: x.shape[1]] + other[_by_sentence(x)]
        ),
        "positions for the first sentence only": _first_sentences(table, 1),
        "places that begin with the size of the batch": _added(
            table, lambda x: _range(x.shape[1]) + len(x)
        ),
        "a learned table, minus the mean over the batch": lambda x: (
            x + table[: x.shape[1]] - x.mean(dim=0)
        ),
        "positions for the first two sentences only": _first_sentences(table, 2),
        "positions for the last sentence only": _last_sentence(table),
    }
    return _batch_cases(generator, right, wrong)


def small(generator):
    table = _learned(generator)
    right = {
        "a table of numbers up to 0.02": _added(0.02 * _waves(D_MODEL)),
        "a learned table, off by a rounding error": lambda x: (
            x + table[: x.shape[1]] + 1e-7 * len(x)
        ),
    }
    wrong = {
        "a table that is indexed by the sentence": _added(table, _by_sentence),
        "a table of numbers up to 0.02, numbered on from one sentence to the next": _added(
            0.02 * _waves(D_MODEL), _numbered_on
        ),
    }
    return _batch_cases(generator, right, wrong)


def _pair_cases(right, wrong):
    """Right and wrong ones are pairs (for queries, for keys)."""
    cases = [(pair, True) for pair in right.items()] + [(pair, False) for pair in wrong.items()]
    return [
        Case((*functions, LENGTH, HEAD_DIM), expected, f"{label}, length {LENGTH}")
        for (label, functions), expected in cases
    ]


def _unplaced(x):
    return x


def _plus(table):
    return lambda x: x + table[: len(x)]


def _both(function):
    return function, function


def _rounded(generator, turn):
    """``turn``, off by what rounding could do: no test that allows for none says True to it."""
    signs = randn(generator, MAX_LEN, HEAD_DIM).sign()
    return lambda x: turn(x) + 1e-5 * signs[: len(x)]


def _pair_of(generator, turn):
    return _rounded(generator, turn), _rounded(generator, turn)


def _signs(x):
    return (-1) ** _range(len(x))[:, None]


def _quarter_turns(generator):
    """Each pair of each place by a quarter, to the left or to the right."""
    sides = randn(generator, MAX_LEN, HEAD_DIM // 2).sign()

    def turn(x):
        a, b = x.unflatten(-1, (-1, 2)).unbind(dim=-1)
        return (stack((-b, a), dim=-1) * sides[: len(x), :, None]).flatten(-2)

    return turn


def _without_first_pair(turn, lit=()):
    """Features 0 and 1 are 0, but that feature 0 is 1 in the places ``lit``."""

    def without(x):
        placed = turn(x).clone()
        placed[:, :2] = 0
        placed[list(lit), 0] = 1
        return placed

    return without


def _one_wrong_score(query_place, key_place):
    return tuple(_without_first_pair(_turned(), lit=[p]) for p in (query_place, key_place))


def _first_pair_by(first, others):
    return lambda x: cat([first(x)[:, :2], others(x)[:, 2:]], dim=-1)


def added_or_turned(generator):
    right = {
        "rotary positions (neighbours are pairs)": _pair_of(generator, _turned()),
        "rotary positions (halves are pairs)": _pair_of(generator, _turned(halves=True)),
        "no positions at all": _both(_unplaced),
    }
    wrong = {
        "sinusoids added to queries and keys": _both(_plus(_waves(HEAD_DIM))),
        "a learned table added to both": _both(_plus(_learned(generator, features=HEAD_DIM))),
    }
    return _pair_cases(right, wrong)


def wrong_turns(generator):
    def scaled(sign):
        turn = _rounded(generator, _turned())
        return lambda x: turn(x) * 1.03 ** (sign * _range(len(x))[:, None])

    def lengths(x):
        return _turned()((x.norm(dim=-1, keepdim=True) / 4).expand(x.shape))

    first = _first_pair_by(_turned(), lambda x: 0 * x)
    five_on = _rounded(generator, _turned(lambda place: place + 5))
    right = {
        "rotary positions, the keys counted from 5": (_rounded(generator, _turned()), five_on),
        "rotary positions, queries grow with the place as keys shrink": (scaled(1), scaled(-1)),
        "rotary positions for the lengths of queries and keys": _pair_of(generator, lengths),
        "queries and keys that share no feature, so that each score is 0": (
            _rounded(generator, first),
            _rounded(generator, _without_first_pair(_turned())),
        ),
        "signs that change from place to place": _both(lambda x: x * _signs(x)),
        "queries of which one pair is turned, keys of which that pair is 0": (
            _first_pair_by(_turned(), _unplaced),
            _without_first_pair(_unplaced),
        ),
    }
    wrong = {
        "both turned by the square of the place": _both(_turned(lambda place: place**2)),
        "keys turned, queries not": (_unplaced, _turned()),
        "queries turned, keys not": (_turned(), _unplaced),
        "keys turned the other way": (_turned(), _turned(lambda place: -place)),
        "queries in neighbouring pairs, keys in halves": (_turned(), _turned(halves=True)),
        "queries turned in one pair, keys in the others": (
            _first_pair_by(_turned(), _unplaced),
            _without_first_pair(_turned()),
        ),
        "keys turned by a quarter, to one side or the other": (
            _unplaced,
            _quarter_turns(generator),
        ),
    }
    return _pair_cases(right, wrong)


def hidden(generator):
    centred = _learned(generator, features=HEAD_DIM)
    centred = centred - centred.mean(dim=-1, keepdim=True)
    faint = _learned(generator, std=0.003, features=HEAD_DIM)
    turns, stops = _turned(), _turned(lambda place: place.clamp(max=16))
    right = {"rotary positions (neighbours are pairs)": _pair_of(generator, turns)}
    wrong = {
        "rotary positions that stop at place 16": _both(stops),
        "rotary positions, of which those of the queries stop at place 16": (stops, turns),
        "rotary positions, of which those of the keys stop at place 16": (turns, stops),
        "rotary positions whose first pair stops at place 16": _both(_first_pair_by(stops, turns)),
        "rotary positions whose first pair alone goes on after place 16": _both(
            _first_pair_by(turns, stops)
        ),
        "rotary positions in which only query 20 and key 3 go wrong": _one_wrong_score(20, 3),
        "rotary positions in which only query 3 and key 20 go wrong": _one_wrong_score(3, 20),
        "a learned table with a standard deviation of 0.003 added to both": _both(_plus(faint)),
        "a table whose rows each sum to 0 added to the keys": (_unplaced, _plus(centred)),
    }
    return _pair_cases(right, wrong)
