"""Lesson 07, exercise 5: a test for positions that promise to show the distance and no more."""

from torch import allclose, randn, softmax, zeros

from course_checks.exercise import Exercise, Property
from course_checks.exercises.positions.turn_cases import (
    HEAD_DIM,
    added_or_turned,
    hidden,
    wrong_turns,
)


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(randn(head_dim).expand(length, -1))  # the same vector in each place
    key = turn_key(randn(head_dim).expand(length, -1))
    scores = query @ key.T  # (length, length)
    return allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


MISTAKES = """
always_true: lambda turn_query, turn_key, length, head_dim: True
    Your test says True to all positions, also to sinusoids that are added. Row p of a tensor is at
    place p: a tensor of one row is always at place 0.
always_false: lambda turn_query, turn_key, length, head_dim: False
    Your test says False to all positions. Does the same query stand in each place, and the same
    key? Other vectors have other scores anyway. Does it allow for rounding?
different_vectors: _different_vectors
    Another vector stands in each of your places. Other vectors have other scores anyway: draw one
    query and repeat it, and one key.
placed_then_repeated: _placed_then_repeated
    You place a single row and repeat it afterwards. Row p of a tensor is at place p, so all of it
    stands at place 0: repeat the vector first, then place it.
rows_not_shifted: _test(lambda scores: _same(scores[1:], scores[:-1]))
    You ask whether all rows of the scores are equal. One place further on, the row has moved one
    column to the right: it is the diagonals that must be constant.
anti_diagonals: _test(lambda scores: _same(scores[1:, :-1], scores[:-1, 1:]))
    You compare along the wrong diagonals: one row down and one column to the left, the distance is
    another by 2. One down and one to the right it is the same.
sides_alike: _test(lambda scores: _shifted(scores) and _same(scores, scores.T))
    You ask for the same score on both sides. A key 2 places back may get another score than a key 2
    places ahead, if only it does so everywhere: i - j has a sign.
too_strict: _test(lambda scores: _shifted(scores, allclose))
    Your test says False to right turns and True only where nothing is rounded. Allow for rounding:
    near 0, allclose forgives only 1e-8 unless it is told more. Give it atol=1e-3.
relative_only: _test(lambda scores: _shifted(scores, lambda a, b: allclose(a, b, rtol=0.01)))
or: _test(lambda scores: _shifted(scores, lambda a, b: allclose(a, b, rtol=0.001)))
    You forgive a share of each score and nothing besides. Near 0 a share is hardly anything, and
    rounding is more: give allclose an atol of 1e-3.
turned_round: lambda *args: not depends_on_distance_only(*args)
    Your test says True where it should say False and the other way round. Is a `not` missing, or
    one too many?
weights_compared: _test(lambda scores: _shifted(_soft(scores)))
    You compare weights, after a softmax. It divides each row by a sum over all keys, and at the
    ends of the text that sum holds others: compare the scores.
small_vectors: _test(drawn=lambda count: 0.01 * randn(count))
    Your vectors are small, and their products smaller: differences fall below the tolerance. Take
    random numbers of size 1.
distance_0_only: _test(lambda scores: _same(scores.diagonal()[1:], scores.diagonal()[:-1]))
    You look at the main diagonal only, where the distance is 0. Positions that go wrong for others
    pass: look at all diagonals.
some_scores: _test(_on_lines(lambda length: (0, 5)))
    You look at a few distances, or at a few places. A pair that goes wrong elsewhere passes: look
    at all diagonals, from end to end.
one_side_only: _test(_on_lines(lambda length: range(1 - length, 1))) || \
        _test(_on_lines(lambda length: range(length)))
    You look at the keys on one side of the query only. One on its other side may go wrong: the
    diagonals above the main one and those below it all count.
two_rows_only: _test(lambda scores: _same(scores[1, 1:], scores[0, :-1]))
    You compare the first two rows only. What goes wrong with later queries passes: compare each row
    with the next.
symmetric: _symmetric
    You ask whether the scores are symmetric. That is another question: a key 2 places back may get
    another score than a key 2 places ahead, if only it does so everywhere.
lengths_only: _lengths_only
    You ask whether the vectors keep their lengths. A turn by any angle does that, the wrong one
    too: look at the scores.
one_function_for_both: query = turn_query( -> query = turn_key(
or: key = turn_key( -> key = turn_query(
    You place queries and keys by one and the same function. Each has its own, and the mistake may
    be that they do not fit together.
too_short: _test(places=lambda length: length // 2) || \
        _test(places=lambda length: length // 2 + 1) || _test(places=lambda length: 8) || \
        _test(places=lambda length: 10) || _test(lambda scores: _shifted(scores[:10, :10]))
or: _test(lambda scores: _shifted(scores[:len(scores) // 2, :len(scores) // 2]))
    You try only the first places. What goes wrong later passes: try as many as you are given.
ones: _test(drawn=torch.ones)
    Your vectors are all ones. To a query of ones, any vector whose features sum to 0 is invisible:
    take random numbers.
zeros: _test(drawn=torch.zeros)
    Your vectors are zeros. A turned 0 is 0, so all turns look right: take random numbers.
one_feature: _first_features || _first_pair
    Your query and your key are 0 in all features but one or two. What goes wrong in the others
    passes: take random numbers in all of them.
one_vector: _one_vector
    You take one vector for query and key. What turns a key by a quarter, this way or that, leaves
    its product with itself at 0: draw two.
too_loose: _test(lambda scores: _shifted(scores, lambda a, b: _same(a, b, atol=0.3)))
or: _test(lambda scores: _shifted(scores, lambda a, b: _same(a, b, atol=0.5)))
    You allow too large a difference, and a table of small numbers passes. Rounding in float32 needs
    about 1e-3 here.
"""


def _same(a, b, atol=1e-3):
    return allclose(a, b, atol=atol)


def _shifted(scores, same=_same):
    return same(scores[1:, 1:], scores[:-1, :-1])


def _test(verdict=_shifted, drawn=randn, places=lambda length: length):
    """A test: what it asks of the scores, which vectors it takes, in how many places."""

    def test(turn_query, turn_key, length, head_dim):
        query, key = (drawn(head_dim).expand(places(length), -1) for _ in range(2))
        return verdict(turn_query(query) @ turn_key(key).T)

    return test


def _on_lines(distances):
    """Each of these diagonals must be constant."""

    def verdict(scores):
        lines = (scores.diagonal(distance) for distance in distances(len(scores)))
        return all(_same(line, line[:1].expand(line.shape), atol=2e-3) for line in lines)

    return verdict


def _first_features(turn_query, turn_key, length, head_dim):
    query, key = zeros(2, length, head_dim)
    query[:, 0] = key[:, 1] = 1
    return _shifted(turn_query(query) @ turn_key(key).T)


def _first_pair(turn_query, turn_key, length, head_dim):
    query, key = zeros(2, length, head_dim)
    query[:, :2], key[:, :2] = randn(2), randn(2)
    return _shifted(turn_query(query) @ turn_key(key).T)


def _different_vectors(turn_query, turn_key, length, head_dim):
    query, key = (randn(length, head_dim) for _ in range(2))
    return _shifted(turn_query(query) @ turn_key(key).T)


def _placed_then_repeated(turn_query, turn_key, length, head_dim):
    query, key = (turn(randn(1, head_dim)).expand(length, -1) for turn in (turn_query, turn_key))
    return _shifted(query @ key.T)


def _soft(scores):
    return softmax(scores / HEAD_DIM**0.5, dim=-1)


def _one_vector(turn_query, turn_key, length, head_dim):
    x = randn(head_dim).expand(length, -1)
    return _shifted(turn_query(x) @ turn_key(x).T)


def _lengths_only(turn_query, turn_key, length, head_dim):
    x = randn(head_dim).expand(length, -1)
    norms = [turn(x).norm(dim=-1) for turn in (turn_query, turn_key)]
    return all(_same(norm, x.norm(dim=-1)) for norm in norms)


def _symmetric(turn_query, turn_key, length, head_dim):
    x = randn(head_dim).expand(length, -1)
    scores = turn_query(x) @ turn_key(x).T
    return _same(scores, scores.T)


EXERCISE = Exercise(
    reference=depends_on_distance_only,
    returns={"its answer": "True or False"},
    kind="bool",
    properties=(
        Property("it tells positions that are turned from positions added", 2, added_or_turned),
        Property("it also finds turns that go wrong, and is not misled by lengths", 1, wrong_turns),
        Property("it also finds what is late, faint or hidden from some vectors", 1, hidden),
    ),
    mistakes=MISTAKES,
)
