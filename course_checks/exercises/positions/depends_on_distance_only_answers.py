"""Answers to depends_on_distance_only (lesson 07, exercise 5), right and wrong, as students write them."""

import functools

import numpy as np
import torch

from course_lib import RotaryEmbedding


# right
def diagonals(turn_query, turn_key, length, head_dim):
    query, key = torch.rand(2, head_dim).unbind()
    scores = turn_query(query.repeat(length, 1)) @ turn_key(key.repeat(length, 1)).mT
    lines = (scores.diagonal(distance) for distance in range(1 - length, length))
    return all((line.max() - line.min()).item() < 2e-3 for line in lines)


# right
def loop(turn_query, turn_key, length, head_dim):
    q, k = np.random.randn(2, head_dim).astype(np.float32)
    query = turn_query(torch.tensor(q).expand(length, -1))
    key = turn_key(torch.tensor(k).expand(length, -1))
    found = {}
    for i in range(length):
        for j in range(length):
            score = float(query[i] @ key[j])
            if abs(found.setdefault(i - j, score) - score) > 1e-3:
                return np.False_
    return np.True_


# wrong: compares along the anti-diagonals (i + j), not along i - j
# named: anti_diagonals
def antidiagonals(turn_query, turn_key, length, head_dim):
    q, k = torch.randn(2, head_dim)
    s = turn_query(q.expand(length, -1)) @ turn_key(k.expand(length, -1)).T
    return torch.allclose(s[1:, :-1], s[:-1, 1:], atol=1e-3)


# wrong: torch.equal, which rounding breaks
# named: too_strict
def bitwise(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.equal(scores[1:, 1:], scores[:-1, :-1])


# wrong: looks at keys behind the query only
# named: one_side_only
def causal_side_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = (query @ key.T).tril()
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: compares the first score with the last one of distance 0
# named: distance_0_only
def corner_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    return bool((query[0] @ key[0] - query[-1] @ key[-1]).abs() < 1e-3)


# wrong: draws another vector for each place, so the scores differ anyway
# named: different_vectors
def different_vectors_2(turn_query, turn_key, length, head_dim):
    q, k = torch.randn(length, head_dim), torch.randn(length, head_dim)
    s = turn_query(q) @ turn_key(k).T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3)


# wrong: repeats one number over the features, another one at each place
def expand_features(turn_query, turn_key, length, head_dim):
    q = torch.randn(length, 1).expand(length, head_dim)
    k = torch.randn(length, 1).expand(length, head_dim)
    s = turn_query(q) @ turn_key(k).T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3)


# wrong: compares only the first two rows of the table
# named: two_rows_only
def first_row_and_column(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1, 1:], scores[0, :-1], atol=1e-3)


# wrong: True and False are exchanged
# named: turned_round
def inverted(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return not torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: atol=0.5
# named: too_loose
def loose(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=0.5)


# wrong: asks whether the lengths of the vectors are kept
# named: lengths_only
def norms_kept(turn_query, turn_key, length, head_dim):
    query = torch.randn(length, head_dim)
    return bool(
        torch.allclose(turn_query(query).norm(dim=-1), query.norm(dim=-1), atol=1e-3)
        and torch.allclose(turn_key(query).norm(dim=-1), query.norm(dim=-1), atol=1e-3)
    )


# wrong: looks at one distance only, the neighbours
# named: some_scores
# points: 4
def one_pair(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    diagonal = (query @ key.T).diagonal(1)
    return torch.allclose(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-3)


# wrong: a single query and key of ones
# named: ones
def ones(turn_query, turn_key, length, head_dim):
    ones = torch.ones(length, head_dim)
    scores = turn_query(ones) @ turn_key(ones).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: places one vector and expands it afterwards, so all places are place 0
# named: placed_then_repeated
def places_before_expand(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(1, head_dim)).expand(length, -1)
    key = turn_key(torch.randn(1, head_dim)).expand(length, -1)
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: asks that neighbouring rows be alike, without the step to the right
# named: rows_not_shifted
def rows_alike(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:], scores[:-1], atol=1e-3)


# wrong: rtol=1e-2 and the tiny default atol, which rounding of scores near 0 breaks
# named: relative_only
def rtol_without_atol(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], rtol=1e-2)


# wrong: one vector is both query and key
# named: one_vector
# points: 4
def same_vector_for_both(turn_query, turn_key, length, head_dim):
    vector = torch.randn(head_dim).expand(length, -1)
    scores = turn_query(vector) @ turn_key(vector).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: looks at the first 8 places only, not at all below length
# named: too_short
# points: 4
def short(turn_query, turn_key, length, head_dim):
    q, k = torch.randn(2, head_dim)
    s = turn_query(q.expand(length, -1)) @ turn_key(k.expand(length, -1)).T
    s = s[:8, :8]
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3)


# wrong: vectors of size 0.01, whose scores are below the tolerance
# named: small_vectors
def small_vectors(turn_query, turn_key, length, head_dim):
    query = turn_query(0.01 * torch.randn(head_dim).expand(length, -1))
    key = turn_key(0.01 * torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: compares the weights after the softmax instead of the scores
# named: weights_compared
def softmax_first(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    weights = (query @ key.T / head_dim**0.5).softmax(dim=-1)
    return torch.allclose(weights[1:, 1:], weights[:-1, :-1], atol=1e-3)


# wrong: demands that the score does not depend on the side (symmetric table)
# named: sides_alike
def symmetric_2(turn_query, turn_key, length, head_dim):
    q, k = torch.randn(2, head_dim)
    s = turn_query(q.expand(length, -1)) @ turn_key(k.expand(length, -1)).T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3) and torch.allclose(s, s.T, atol=1e-3)


# wrong: zeros as query and key
# named: zeros
def zeros(turn_query, turn_key, length, head_dim):
    zeros = torch.zeros(length, head_dim)
    scores = turn_query(zeros) @ turn_key(zeros).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: never turns the key
# says: what it gets as turn_key
def key_left_in_place(turn_query, turn_key, length, head_dim):
    query, key = torch.randn(2, head_dim)
    scores = turn_query(query.repeat(length, 1)) @ key.repeat(length, 1).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# other inputs
def positions_for_pairs(randn):
    """(for queries, for keys), right ones and others; others than the check's."""

    def place(x):
        return torch.arange(len(x))[:, None]

    turn = RotaryEmbedding(6, base=50.0)
    yield from ((turn, turn), (turn, lambda x: 2 * turn(x, 3)), (turn, lambda x: turn(turn(x))))
    yield from ((turn, torch.tanh), (torch.tanh, torch.exp), (lambda x: -x, turn))
    yield (lambda x: x * (1 + place(x)),) * 2
    yield (lambda x: x * torch.exp(place(x) / 9), lambda x: x * torch.exp(-place(x) / 9))
    yield (lambda x: x + (place(x) == 16) * randn(6), torch.clone)


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    yield from ((*functions, 17, 6) for functions in positions_for_pairs(randn))
