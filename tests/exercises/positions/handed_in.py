"""Answers to the exercises on positions, of the kind that students hand in."""

import math

import torch

import course_checks as checks


def waves_in_float64(length, d_model):
    return checks.sinusoidal_positions.exercise.reference(length, d_model).double()


def row_by_row(x, table, offset):
    for t in range(x.shape[1]):
        x[:, t] += table[offset + t]
    return x


def turns_without_the_first(x, first_place):
    pairs = x.unflatten(-1, (-1, 2))
    angle = torch.arange(x.shape[-2])[:, None] * 10000 ** (
        -torch.arange(0, x.shape[-1], 2) / x.shape[-1]
    )
    cos, sin = angle.cos(), angle.sin()
    a, b = pairs[..., 0], pairs[..., 1]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def looks_at_x_itself(add_positions, x):
    placed = add_positions(x)
    alone = torch.cat([add_positions(row[None]) for row in x])
    gaps = (placed[:, :, None] - placed[:, None]).abs().amax(dim=-1)
    return bool((gaps > 1e-4).sum() > 0) and torch.allclose(placed, alone, atol=1e-5)


def zeros_in_one_batch(add_positions, x):
    placed = add_positions(torch.zeros_like(x))
    return bool((placed[0, 0] != placed[0, 1]).any() and (placed[0] == placed[1]).all())


def draws_each_row(turn_query, turn_key, length, head_dim):
    query, key = torch.randn(2, length, head_dim)
    scores = turn_query(query) @ turn_key(key).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


def scores_of(turn_query, turn_key, length, head_dim):
    query, key = torch.randn(2, head_dim)
    return turn_query(query.repeat(length, 1)) @ turn_key(key.repeat(length, 1)).T


def next_key_only(*args):
    line = scores_of(*args).diagonal(1)
    return bool((line.max() - line.min()) < 1e-3)


def two_comparisons(*args):
    scores = scores_of(*args)
    return bool(abs(scores[0, 0] - scores[-1, -1]) + abs(scores[0, 1] - scores[-2, -1]) < 1e-3)


def first_half(turn_query, turn_key, length, head_dim):
    scores = scores_of(turn_query, turn_key, length // 2 + 1, head_dim)
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


def distance_without_sign(*args):
    scores = scores_of(*args)
    lines = [cat_both(scores, n) for n in range(len(scores))]
    return all((line.max() - line.min()).item() < 1e-3 for line in lines)


def cat_both(scores, n):
    return torch.cat([scores.diagonal(n), scores.diagonal(-n)])


def key_left_in_place(turn_query, turn_key, length, head_dim):
    query, key = torch.randn(2, head_dim)
    scores = turn_query(query.repeat(length, 1)) @ key.repeat(length, 1).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


def without_atol(*args):
    scores = scores_of(*args)
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1])


def one_vector_for_both(turn_query, turn_key, length, head_dim):
    x = torch.rand(head_dim).repeat(length, 1)
    scores = turn_query(x) @ turn_key(x).T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)


def others_replaced(add_positions, x):
    alike = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    if len(alike.unique(dim=0)) < len(alike):
        return False
    placed, length = add_positions(x), len(x)
    for b in range(length):
        others = torch.rand_like(x)
        others[b] = x[b]
        if not torch.allclose(add_positions(others)[b], placed[b], atol=1e-5):
            return False
    return torch.allclose(add_positions(x.roll(1, 0)).roll(-1, 0), placed, atol=1e-5)


def up_to(atol, sentences=slice(None)):
    def test(add_positions, x):
        alike = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
        apart = (alike[:, None] - alike).abs().amax(dim=-1) + torch.eye(len(alike))
        pairs = list(zip(x, add_positions(x), strict=True))[sentences]
        gaps = [(add_positions(one[None])[0] - placed).abs().max() for one, placed in pairs]
        return bool((apart > 1e-4).all() and max(gaps) < atol)

    return test


def turned_in_place(x, first_place):
    length, features = x.shape[-2:]
    angle = torch.arange(first_place, first_place + length)[:, None] * 10000 ** (
        -torch.arange(0, features, 2) / features
    )
    out, cos, sin = x.clone(), angle.cos(), angle.sin()
    out[..., ::2] = out[..., ::2] * cos - out[..., 1::2] * sin
    out[..., 1::2] = out[..., 1::2] * cos + out[..., ::2] * sin
    return out


def causal_too(scores, slopes):
    scores = checks.alibi_scores.exercise.reference(scores, slopes)
    rows, columns = scores.shape[-2:]
    return scores.masked_fill(torch.ones(rows, columns).triu(columns - rows + 1) == 1, -math.inf)


def from_the_start(scores, slopes):
    rows, columns = (torch.arange(n) for n in scores.shape[-2:])
    return scores - slopes.view(-1, 1, 1) * (rows[:, None] - columns[None]).abs()


rotary_answer = checks.rotary.exercise.reference


ANSWERS = [
    ("sinusoidal_positions", waves_in_float64, 5, "dtype", "it should be torch.float32"),
    ("add_learned", row_by_row, 5, "changes_input", "changes its input x in place"),
    ("add_learned", lambda x, t, o: x + t[o : o + len(x)][:, None], None, "by_batch", "sentence"),
    ("rotary", turns_without_the_first, 5, "first_place_ignored", "whatever first_place is"),
    ("places_by_time", looks_at_x_itself, None, "batch_only", "Does it ask with equal"),
    ("places_by_time", zeros_in_one_batch, 2, None, "Your function says"),
    (
        "depends_on_distance_only",
        draws_each_row,
        0,
        "different_vectors",
        "draw one query and repeat it",
    ),
    ("depends_on_distance_only", next_key_only, 4, "some_scores", "from end to end"),
    ("depends_on_distance_only", two_comparisons, 4, "some_scores", "from end to end"),
    ("depends_on_distance_only", first_half, 4, "too_short", "only the first places"),
    ("depends_on_distance_only", distance_without_sign, 0, "sides_alike", "i - j has a sign"),
    ("depends_on_distance_only", key_left_in_place, None, None, "what it gets as turn_key"),
    ("depends_on_distance_only", without_atol, None, "too_strict", "Allow for rounding"),
    ("depends_on_distance_only", one_vector_for_both, 4, "one_vector", "draw two"),
    ("places_by_time", others_replaced, 5, "size_kept", "size of the batch"),
    ("places_by_time", up_to(0.05), 5, "too_loose", "too large a difference"),
    ("places_by_time", up_to(1e-5, slice(-1, None)), 5, "last_sentence_only", "for every one"),
    (
        "add_learned",
        lambda x, t, o: x + t[o : o + x.shape[1]].detach(),
        5,
        "cut_off",
        "x and table",
    ),
    ("add_learned", lambda x, t, o: x + t[o : o + len(x)], None, "sliced_by_batch", "sentences"),
    ("rotary", turned_in_place, 0, "overwritten", "keep them"),
    ("rotary", lambda x, p: rotary_answer(x, p).detach(), 5, "cut_off", "must reach x"),
    ("alibi_scores", causal_too, None, "masked", "That is the mask's business"),
    ("alibi_scores", from_the_start, 5, "aligned_to_start", "key_len - query_len"),
]
