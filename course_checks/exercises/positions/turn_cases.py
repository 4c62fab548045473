"""What the students' test of lesson 07, exercise 5 is run on: pairs of functions that put queries
and keys (length, head_dim) in their places."""

from torch import cat, stack

from course_checks.exercise import Case, randn
from course_checks.exercises.positions.place_cases import MAX_LEN, learned, places, turned, waves

LENGTH, HEAD_DIM = 24, 8


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
    return tuple(_without_first_pair(turned(), lit=[p]) for p in (query_place, key_place))


def _first_pair_by(first, others):
    return lambda x: cat([first(x)[:, :2], others(x)[:, 2:]], dim=-1)


def added_or_turned(generator):
    right = {
        "rotary positions (neighbours are pairs)": _pair_of(generator, turned()),
        "rotary positions (halves are pairs)": _pair_of(generator, turned(halves=True)),
        "no positions at all": _both(_unplaced),
    }
    wrong = {
        "sinusoids added to queries and keys": _both(_plus(waves(HEAD_DIM))),
        "a learned table added to both": _both(_plus(learned(generator, features=HEAD_DIM))),
    }
    return _pair_cases(right, wrong)


def wrong_turns(generator):
    def scaled(sign):
        turn = _rounded(generator, turned())
        return lambda x: turn(x) * 1.03 ** (sign * places(len(x))[:, None])

    def lengths(x):
        return turned()((x.norm(dim=-1, keepdim=True) / 4).expand(x.shape))

    first = _first_pair_by(turned(), lambda x: 0 * x)
    five_on = _rounded(generator, turned(lambda place: place + 5))
    right = {
        "rotary positions, the keys counted from 5": (_rounded(generator, turned()), five_on),
        "rotary positions, queries grow with the place as keys shrink": (scaled(1), scaled(-1)),
        "rotary positions for the lengths of queries and keys": _pair_of(generator, lengths),
        "queries and keys that share no feature, so that each score is 0": (
            _rounded(generator, first),
            _rounded(generator, _without_first_pair(turned())),
        ),
        "signs that change from place to place": _both(
            lambda x: x * (-1) ** places(len(x))[:, None]
        ),
        "queries of which one pair is turned, keys of which that pair is 0": (
            _first_pair_by(turned(), _unplaced),
            _without_first_pair(_unplaced),
        ),
    }
    wrong = {
        "rotary positions, the queries of which grow with the place": (scaled(1), turned()),
        "both turned by the square of the place": _both(turned(lambda place: place**2)),
        "keys turned, queries not": (_unplaced, turned()),
        "queries turned, keys not": (turned(), _unplaced),
        "keys turned the other way": (turned(), turned(lambda place: -place)),
        "queries in neighbouring pairs, keys in halves": (turned(), turned(halves=True)),
        "queries turned in one pair, keys in the others": (
            _first_pair_by(turned(), _unplaced),
            _without_first_pair(turned()),
        ),
        "keys turned by a quarter, to one side or the other": (
            _unplaced,
            _quarter_turns(generator),
        ),
    }
    return _pair_cases(right, wrong)


def hidden(generator):
    centred = learned(generator, features=HEAD_DIM)
    centred = centred - centred.mean(dim=-1, keepdim=True)
    faint = learned(generator, std=0.003, features=HEAD_DIM)
    turns, stops = turned(), turned(lambda place: place.clamp(max=16))
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
