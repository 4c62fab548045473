"""Answers to depends_on_distance_only (lesson 07, exercise 5), right and wrong, as students write them."""

import numpy as np
import torch


# right
def all_unit_vectors(turn_query, turn_key, length, head_dim):
    eye = torch.eye(head_dim)[:, None].expand(head_dim, length, head_dim)
    queries = torch.stack([turn_query(row) for row in eye])
    keys = torch.stack([turn_key(row) for row in eye])
    scores = torch.einsum("apd,bqd->abpq", queries, keys)
    kept = torch.allclose(scores[..., 1:, 1:], scores[..., :-1, :-1], atol=1e-3)
    if not kept:
        return False
    for _ in range(5):
        q, k = torch.randn(2, head_dim)
        table = turn_query(q.expand(length, -1)) @ turn_key(k.expand(length, -1)).T
        if not torch.allclose(table[1:, 1:], table[:-1, :-1], atol=1e-3):
            return False
    return True


# wrong: compares along the anti-diagonals (i + j), not along i - j
# named: anti_diagonals
def antidiagonals(turn_query, turn_key, length, head_dim):
    q, k = torch.randn(2, head_dim)
    s = turn_query(q.expand(length, -1)) @ turn_key(k.expand(length, -1)).T
    return torch.allclose(s[1:, :-1], s[:-1, 1:], atol=1e-3)


# right
def bases(turn_query, turn_key, length, head_dim):
    g = torch.Generator().manual_seed(2)
    for _ in range(8):
        q = torch.randn(head_dim, generator=g).repeat(length, 1)
        k = torch.randn(head_dim, generator=g).repeat(length, 1)
        s = turn_query(q) @ turn_key(k).mT
        for d in range(-length + 1, length):
            line = torch.diagonal(s, d)
            if (line - line[0]).abs().max() > 2e-3:
                return False
    return True


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


# right
def dictionary_of_distances(turn_query, turn_key, length, head_dim):
    q, k = torch.randn(2, head_dim)
    query, key = turn_query(q.repeat(length, 1)), turn_key(k.repeat(length, 1))
    scores = (query @ key.T).tolist()
    seen = {}
    for i in range(length):
        for j in range(length):
            first = seen.setdefault(i - j, scores[i][j])
            if not abs(first - scores[i][j]) < 2e-3:
                return False
    return True


# wrong: another random vector at each place
# named: different_vectors
def different_vectors(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(length, head_dim))
    key = turn_key(torch.randn(length, head_dim))
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


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


# wrong: query and key have numbers in the first two features only
# named: one_feature
def first_feature_only(turn_query, turn_key, length, head_dim):
    query, key = torch.zeros(2, length, head_dim)
    query[:, :2], key[:, :2] = torch.randn(2), torch.randn(2)
    scores = turn_query(query) @ turn_key(key).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: compares only the first two rows of the table
# named: two_rows_only
def first_row_and_column(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1, 1:], scores[0, :-1], atol=1e-3)


# wrong: looks at the first five places only
def five_places(turn_query, turn_key, length, head_dim):
    n = 5
    q = torch.randn(head_dim).expand(n, -1)
    k = torch.randn(head_dim).expand(n, -1)
    s = turn_query(q) @ turn_key(k).T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3)


# wrong: tests half of the places to be quick
# named: too_short
def half_the_length(turn_query, turn_key, length, head_dim):
    length = length // 2
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: True and False are exchanged
# named: turned_round
def inverted(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return not torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# right
def loop_over_diagonals(turn_query, turn_key, length, head_dim):
    for _ in range(3):
        query = turn_query(torch.randn(1, head_dim).repeat(length, 1))
        key = turn_key(torch.randn(1, head_dim).repeat(length, 1))
        scores = torch.einsum("id,jd->ij", query, key)
        for distance in range(-length + 1, length):
            line = scores.diagonal(distance)
            if line.max() - line.min() > 2e-3:
                return False
    return True


# wrong: atol=0.5
# named: too_loose
def loose(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=0.5)


# wrong: looks at distance 0 only
# named: distance_0_only
def main_diagonal(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    diagonal = (query * key).sum(dim=-1)
    return torch.allclose(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-3)


# wrong: compares only the pairs of distance 0
# named: distance_0_only
def main_diagonal_2(turn_query, turn_key, length, head_dim):
    q = torch.randn(head_dim).expand(length, -1)
    k = torch.randn(head_dim).expand(length, -1)
    d = (turn_query(q) @ turn_key(k).T).diagonal()
    return torch.allclose(d, d[:1].expand_as(d), atol=1e-3)


# wrong: compares the mean of the first half of each diagonal with the mean of all of it, loosely
def mean_of_diagonals(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    for d in range(length - 1):
        diagonal = scores.diagonal(d)
        if (diagonal.mean() - diagonal[: len(diagonal) // 2 + 1].mean()).abs() > 0.1:
            return False
    return True


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


# wrong: goes down and to the left, along the wrong diagonals
# named: anti_diagonals
def other_diagonal(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:, :-1], scores[:-1, 1:], atol=1e-3)


# wrong: places one vector and expands it afterwards, so all places are place 0
# named: placed_then_repeated
def places_before_expand(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(1, head_dim)).expand(length, -1)
    key = turn_key(torch.randn(1, head_dim)).expand(length, -1)
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: places the key with turn_query
# named: one_function_for_both
def query_for_both(turn_query, turn_key, length, head_dim):
    for _ in range(5):
        q = torch.randn(head_dim).expand(length, -1)
        k = torch.randn(head_dim).expand(length, -1)
        s = turn_query(q) @ turn_query(k).T
        if not torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3):
            return False
    return True


# wrong: shifts the table in a circle, so that its last row meets its first
def rolled(turn_query, turn_key, length, head_dim):
    q = torch.randn(head_dim).expand(length, -1)
    k = torch.randn(head_dim).expand(length, -1)
    s = turn_query(q) @ turn_key(k).T
    return torch.allclose(s, s.roll((1, 1), dims=(0, 1)), atol=1e-3)


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
def same_vector_for_both(turn_query, turn_key, length, head_dim):
    vector = torch.randn(head_dim).expand(length, -1)
    scores = turn_query(vector) @ turn_key(vector).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# right
def several_draws(turn_query, turn_key, length, head_dim):
    def table():
        q = turn_query(torch.randn(head_dim).expand(length, -1))
        k = turn_key(torch.randn(head_dim).expand(length, -1))
        return q @ k.mT

    def is_toeplitz(scores):
        return bool(((scores[1:, 1:] - scores[:-1, :-1]).abs() < 1e-3).all())

    return all(is_toeplitz(table()) for _ in range(10))


# wrong: looks at the first 8 places only, not at all below length
# named: too_short
def short(turn_query, turn_key, length, head_dim):
    q, k = torch.randn(2, head_dim)
    s = turn_query(q.expand(length, -1)) @ turn_key(k.expand(length, -1)).T
    s = s[:8, :8]
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3)


# wrong: asks that both sides have the same score
# named: sides_alike
def side_ignored(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    diagonal = torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)
    return diagonal and torch.allclose(scores, scores.T, atol=1e-3)


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


# right
def spread_of_diagonals(turn_query, turn_key, length, head_dim):
    for _ in range(6):
        q, k = torch.randn(2, head_dim)
        s = turn_query(q.repeat(length, 1)) @ turn_key(k.repeat(length, 1)).mT
        for off in range(1 - length, length):
            line = s.diagonal(off)
            if not line.max() - line.min() < 2e-3:
                return False
    return True


# wrong: asks only whether the table is symmetric
# named: symmetric
def symmetric(turn_query, turn_key, length, head_dim):
    vector = torch.randn(head_dim).expand(length, -1)
    scores = turn_query(vector) @ turn_key(vector).T
    return torch.allclose(scores, scores.T, atol=1e-3)


# wrong: demands that the score does not depend on the side (symmetric table)
# named: sides_alike
def symmetric_2(turn_query, turn_key, length, head_dim):
    q, k = torch.randn(2, head_dim)
    s = turn_query(q.expand(length, -1)) @ turn_key(k.expand(length, -1)).T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3) and torch.allclose(s, s.T, atol=1e-3)


# wrong: looks at the first ten places only
# named: too_short
def ten_places(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))[:10]
    key = turn_key(torch.randn(head_dim).expand(length, -1))[:10]
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# right
def through_numpy(turn_query, turn_key, length, head_dim):
    random = np.random.default_rng(0)
    for _ in range(4):
        q, k = random.normal(size=(2, 1, head_dim)).astype("float32").repeat(length, axis=1)
        query, key = turn_query(torch.from_numpy(q)).numpy(), turn_key(torch.from_numpy(k)).numpy()
        scores = query.astype("float64") @ key.T
        if not np.allclose(scores[1:, 1:], scores[:-1, :-1], rtol=1e-5, atol=1e-3):
            return False
    return True


# wrong: the queries are placed by turn_key
# named: one_function_for_both
def turn_key_for_both(turn_query, turn_key, length, head_dim):
    query = turn_key(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: the keys are placed by turn_query
# named: one_function_for_both
def turn_query_for_both(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_query(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: tries each feature with itself only, never two different features
# named: one_vector
def unit_vectors_same_feature(turn_query, turn_key, length, head_dim):
    for row in torch.eye(head_dim):
        vector = row.expand(length, -1)
        scores = turn_query(vector) @ turn_key(vector).T
        if not torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3):
            return False
    return True


# wrong: zeros as query and key
# named: zeros
def zeros(turn_query, turn_key, length, head_dim):
    zeros = torch.zeros(length, head_dim)
    scores = turn_query(zeros) @ turn_key(zeros).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


# wrong: brings the turned vectors to length 1, so factors by place go unseen
def brought_to_length_1(turn_query, turn_key, length, head_dim):
    q = torch.nn.functional.normalize(turn_query(torch.randn(head_dim).expand(length, -1)), dim=-1)
    k = torch.nn.functional.normalize(turn_key(torch.randn(head_dim).expand(length, -1)), dim=-1)
    s = q @ k.T
    return torch.allclose(s[1:, 1:], s[:-1, :-1], atol=1e-3)


# wrong: tries the first 8 places only
# named: too_short
def first_eight(turn_query, turn_key, length, head_dim):
    n = min(length, 8)
    for _ in range(20):
        q, k = torch.randn(2, head_dim)
        scores = turn_query(q.repeat(n, 1)) @ turn_key(k.repeat(n, 1)).T
        if not torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3):
            return False
    return True
