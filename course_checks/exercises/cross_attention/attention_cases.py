"""Attentions whose rows are queries, and others, to be told apart."""

import torch
from torch import float64, sigmoid, softmax

from course_checks.exercise import Case, randn

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
    for rows in (True, False):
        label = f"{words}, {query_len} queries and {key_len} keys, a {'row' if rows else 'column'}"
        attend = _attention(weights_of, drawn if matrix is None else matrix, rows)
        yield Case((attend, x, memory), rows, f"{label} per query")


def _softmax(scores):
    return softmax(scores, dim=-1)


def _among(rule):
    """A softmax among the keys j with ``rule(i, j)``, for any lengths: a test may change them."""

    def weights_of(scores):
        i, j = (torch.arange(size, device="cpu") for size in scores.shape)
        return _softmax(scores.masked_fill(~rule(i[:, None], j), -torch.inf))

    return weights_of


def usual(generator):
    return [
        *_both_ways(generator, "softmax attention", _softmax, 3, 5),
        *_both_ways(generator, "softmax attention", _softmax, 4, 4),
    ]


def _mirrored(generator, words, weights_of=_softmax):
    """Query i looks most at key 3 - i, all equally: the map equals itself transposed."""
    memory = torch.linalg.qr(randn(generator, D_MODEL, D_MODEL))[0]
    inputs, matrix = (2 * memory.flip(0), memory), torch.eye(D_MODEL, device="cpu")
    words = f"softmax attention whose rows and columns all sum to 1{words}"
    return _both_ways(generator, words, weights_of, D_MODEL, D_MODEL, matrix, inputs)


def no_sign(generator):
    nearly_0 = 0.05 * randn(generator, D_MODEL, D_MODEL)
    return [
        *_mirrored(generator, ""),
        *_both_ways(generator, "sigmoid attention, in which no sum is 1", sigmoid, 4, 4),
        *_both_ways(generator, "attention whose weights hardly differ", _softmax, 4, 4, nearly_0),
        # Of two weights near 1/2 the sum is nearer to 1 than of six.
        *_both_ways(generator, "sigmoid attention", sigmoid, 2, 6, nearly_0),
    ]


def _gentle(generator, words, weights_of, query_len, key_len):
    """No weight comes so near to 0 or 1 that it hardly moves: keys of length 1, at right angles."""
    memory = torch.linalg.qr(randn(generator, D_MODEL, D_MODEL))[0][:key_len]
    x, matrix = randn(generator, query_len, D_MODEL), torch.eye(D_MODEL, device="cpu")
    return _both_ways(generator, words, weights_of, query_len, key_len, matrix, (x, memory))


def no_choice(generator):
    words, fewer = "softmax attention", "may read more than one key"
    first = _among(lambda i, j: (j == 1) | ((i == 0) & (j != 2)))
    last = _among(lambda i, j: (j == 1) | ((i == 4) & (j != 2)))
    middle = _among(lambda i, j: (i + j == 3) | ((i % 3 > 0) & (j % 3 > 0)))
    ends = _among(lambda i, j: (i + j == 3) | ((i % 3 == 0) & (j % 3 == 0)))
    others = _among(lambda i, j: (i > 0) | (j == 0))
    return [
        *_gentle(generator, f"{words} in which only the first query {fewer}", first, 4, 4),
        *_gentle(generator, f"{words} in which only the last query {fewer}", last, 5, 4),
        *_mirrored(generator, f", and in which only the two in the middle {fewer}", middle),
        *_mirrored(generator, f", and in which only the first and the last {fewer}", ends),
        *_gentle(generator, f"{words} in which all but the first query {fewer}", others, 4, 4),
        *_normalised(generator, f"{words} behind a LayerNorm"),
    ]


def _normalised(generator, words):
    """A token plus a number, or times one, is the same token to a LayerNorm.

    Of tokens in 64ths the sum with 1 is exact: not even a rounding tells that a number was added.
    """

    def behind_norm(attend):
        def version(x, memory):
            centred = x.to(float64) - x.to(float64).mean(dim=-1, keepdim=True)
            normal = centred / (centred.square().mean(dim=-1, keepdim=True) + 1e-12).sqrt()
            output, weights = attend(normal, memory.to(float64))
            return output.to(x.dtype), weights.to(x.dtype)

        return version

    cases = []
    for case in _gentle(generator, words, _softmax, 4, 4):
        attend, x, memory = case.args
        args = behind_norm(attend), (64 * x).round() / 64, memory
        cases.append(Case(args, case.expected, case.label))
    return cases
