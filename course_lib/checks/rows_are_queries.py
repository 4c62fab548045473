"""Lesson 06, exercise 4: which axis of a map belongs to the queries? Found out, not believed."""

import torch
from torch import allclose, float64, ones, randn_like, sigmoid, softmax

from course_lib.checks.exercise import Case, Exercise, Mutant, Property, randn


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        changed = x.clone()
        changed[i] = randn_like(x[i])
        moved = (attend(changed, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return False


# --- wrong tests --------------------------------------------------------------------------------


def _sums_to_one(weights, dim):
    return allclose(weights.sum(dim=dim), ones(()).to(weights), atol=1e-4)


def _one_row_moves(attend, x, memory, which, place):
    """Whether a change of one token of ``which`` (0 is x, 1 the memory) moves one row alone."""
    changed = [x.clone(), memory.clone()]
    changed[which][place] = randn_like(changed[which][place])
    moved = (attend(*changed)[1] - attend(x, memory)[1]).abs() > 1e-5
    return bool(moved.any(dim=1).sum() == 1)


def _permuted(attend, x, memory):
    before, after = attend(x, memory)[1], attend(x.roll(1, 0), memory)[1]
    return before.shape[0] == len(x) and allclose(after, before.roll(1, 0), atol=1e-5)


# --- what they are run on -----------------------------------------------------------------------

D_MODEL = 4


def _attention(weights_of, matrix, rows):
    """Computes in float64, where the weights of the other queries stay as they are."""

    def attend(x, memory):
        key = memory.to(float64)
        weights = weights_of(x.to(float64) @ matrix.to(float64) @ key.T)  # (query_len, key_len)
        return (weights @ key).to(x.dtype), (weights if rows else weights.T).to(x.dtype)

    return attend


def _both_ways(generator, words, weights_of, query_len, key_len, matrix=None, inputs=None):
    """The same attention twice: once its map has a row per query, once a column per query."""
    drawn = randn(generator, D_MODEL, D_MODEL) / 2
    x, memory = inputs or (randn(generator, n, D_MODEL) for n in (query_len, key_len))
    cases = []
    for rows in (True, False):
        label = f"{words}, {query_len} queries and {key_len} keys, a {'row' if rows else 'column'}"
        attend = _attention(weights_of, drawn if matrix is None else matrix, rows)
        cases.append(Case((attend, x, memory), rows, f"{label} per query"))
    return cases


def _softmax(scores):
    return softmax(scores, dim=-1)


def _one_key_for(query):
    """This query may attend to key 1 alone, and so gives it the weight 1 whatever it asks."""

    def weights_of(scores):
        blocked = torch.zeros_like(scores).bool()
        blocked[query] = torch.arange(scores.shape[1]) != 1
        return _softmax(scores.masked_fill(blocked, -torch.inf))

    return weights_of


def _usual(generator):
    return [
        *_both_ways(generator, "softmax attention", _softmax, 3, 5),
        *_both_ways(generator, "softmax attention", _softmax, 4, 4),
    ]


def _sums(generator):
    """Each query looks at a token of its own, all equally: the columns sum to 1 as well."""
    memory = torch.linalg.qr(randn(generator, D_MODEL, D_MODEL))[0]
    order = torch.randperm(D_MODEL, generator=generator, device="cpu")
    inputs, matrix = (2 * memory[order], memory), torch.eye(D_MODEL, device="cpu")
    words = "softmax attention whose rows and columns all sum to 1"
    return [
        *_both_ways(generator, words, _softmax, D_MODEL, D_MODEL, matrix, inputs),
        *_both_ways(generator, "sigmoid attention, in which no sum is 1", sigmoid, 3, 3),
    ]


def _no_choice(generator):
    words = "softmax attention in which the {} query has one key alone".format
    return [
        *_both_ways(generator, words("first"), _one_key_for(0), 4, 4),
        *_both_ways(generator, words("last"), _one_key_for(-1), 5, 3),
    ]


EXERCISE = Exercise(
    lesson="06",
    number=4,
    reference=rows_are_queries,
    returns={"its answer": "True or False"},
    kind="bool",
    properties=(
        Property("it finds the axis, also when both sequences are equally long", 2, _usual),
        Property("it also finds it where the sums of the weights do not tell", 1, _sums),
        Property("it also finds it where some queries cannot choose", 1, _no_choice),
    ),
    mutants=(
        Mutant(
            "always_rows",
            "Your test says True to every map. That is the assumption that it should test.",
            lambda attend, x, memory: True,
        ),
        Mutant(
            "never_rows",
            "Your test says False to every map. Which changes do you make: with one token of x "
            "changed, one row (or one column) moves; with all of them, everything does.",
            lambda attend, x, memory: False,
        ),
        Mutant(
            "inverted",
            "Your test is right the wrong way round: True means that the rows are the queries.",
            lambda *args: not rows_are_queries(*args),
        ),
        Mutant(
            "by_shape",
            "You compare the shape of the map with the lengths. When both sequences are equally "
            "long the shape is the same either way: ask the layer instead, with another x.",
            lambda attend, x, memory: attend(x, memory)[1].shape[0] == len(x),
        ),
        Mutant(
            "by_row_sums",
            "You look whether the rows sum to 1. The columns may do so as well, and with a sigmoid "
            "in the place of the softmax neither does: change a query and see what moves.",
            lambda attend, x, memory: _sums_to_one(attend(x, memory)[1], -1),
        ),
        Mutant(
            "by_column_sums",
            "You look whether the columns do not sum to 1. They may do so in a right map, and in a "
            "wrong one need not: change a query and see what moves.",
            lambda attend, x, memory: not _sums_to_one(attend(x, memory)[1], 0),
        ),
        Mutant(
            "first_query_only",
            "You change the first token of x only. Where it has one key alone its weight is 1 "
            "whatever it asks, and nothing moves: go on to the next token then.",
            lambda *args: _one_row_moves(*args, 0, 0),
        ),
        Mutant(
            "last_query_only",
            "You change the last token of x only. Where it has one key alone its weight is 1 "
            "whatever it asks, and nothing moves: try the other tokens too.",
            lambda *args: _one_row_moves(*args, 0, -1),
        ),
        Mutant(
            "changes_memory",
            "You change a token of the memory. All queries share out their weight among the same "
            "keys, so all rows and all columns may move: change a token of x.",
            lambda *args: _one_row_moves(*args, 1, 0),
        ),
        Mutant(
            "permuted",
            "You move the tokens of x and look whether the rows move along. Under a mask that "
            "depends on the position they do not: change a token of x where it stands.",
            _permuted,
        ),
    ),
)
