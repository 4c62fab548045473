"""Lesson 01, exercise 4: the temperature, and its limit 0."""

from torch import float64, softmax, tensor

from course_checks.exercise import Case, Exercise, Mistake, Property, randn


def weights_at(scores, temperature):
    if temperature == 0:
        is_largest = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return is_largest / is_largest.sum(dim=-1, keepdim=True)
    return softmax(scores / temperature, dim=-1)


MISTAKES = """
multiplied: scores / temperature -> scores * temperature
    You multiply the scores by the temperature. A low temperature should sharpen the weights.
divided_after: softmax(scores / temperature, dim=-1) -> softmax(scores, dim=-1) / temperature
evidence: row_sum()
    You divide the weights by the temperature, after the softmax. It belongs to the scores.
ignored: scores / temperature -> scores
    The temperature changes nothing in your weights: they are those of temperature 1.
wrong_dimension: temperature, dim=-1 -> temperature, dim=0 || dim=-1 => dim=0
evidence: column_sums()
    Your softmax runs over the first dimension. It should run over the last one, along each row.
naive: softmax(scores / temperature, dim=-1) -> torch.exp(scores / temperature) / torch.exp(scores \
        / temperature).sum(dim=-1, keepdim=True)
    At a low temperature scores / temperature is large and overflows. Subtract the largest of each
    row first, as in exercise 3.
threshold: temperature == 0 -> temperature < 0.01
    You take the limit already at low temperatures above 0. It belongs to 0 alone.
nan_at_zero: temperature == 0 -> False
    At temperature 0 you divide by 0. The limit has to be written on its own: think of what the
    weights tend to.
first_of_ties: return is_largest / is_largest.sum(dim=-1, keepdim=True) -> return \
        torch.zeros_like(scores).scatter(-1, scores.argmax(dim=-1, keepdim=True), 1.0)
    At temperature 0 you give everything to one of the largest scores. Those that tie share equally.
ties_not_shared: / is_largest.sum(dim=-1, keepdim=True) ->
evidence: row_sum()
    At temperature 0 you give weight 1 to each of the tied scores. They have one 1 to share.
shared_over_table: is_largest.sum(dim=-1, keepdim=True) -> is_largest.sum()
evidence: row_sum()
    At temperature 0 you divide by the number of largest scores of all rows. Each row has its own 1.
ties_of_whole_tensor: amax(dim=-1, keepdim=True) -> max()
or: amax(dim=-1, keepdim=True) -> max() && is_largest.sum(dim=-1, keepdim=True) -> is_largest.sum()
    At temperature 0 you look for the largest score of the whole tensor. Every row has its own.
scores_at_zero: is_largest / is_largest.sum(dim=-1, keepdim=True) -> softmax(scores, dim=-1)
    At temperature 0 you keep the softmax, as if it were 1. As it falls, the weights become ever
    harder.
near_ties: scores == -> torch.isclose(scores, && True)).to -> True))).to
or: scores == -> torch.isclose(scores, && True)).to -> True), atol=1e-6)).to
or: scores == -> torch.isclose(scores, && True)).to -> True), atol=1e-5)).to
or: scores == -> torch.isclose(scores, && True)).to -> True), atol=1e-4)).to
or: scores == -> torch.isclose(scores, && True)).to -> True), atol=1e-3)).to
or: scores == -> torch.isclose(scores, && True)).to -> True), atol=1e-2)).to
    At temperature 0 you let scores share that are only close to the largest (isclose). Only equal
    ones share.
smallest_at_zero: amax -> amin
    At temperature 0 you give the weight to the smallest score. The largest takes it.
even_at_zero: is_largest / is_largest.sum(dim=-1, keepdim=True) -> \
        torch.full_like(scores, 1 / scores.shape[-1])
    At temperature 0 you give every score the same weight. There the largest takes all.
zeros_at_zero: is_largest / is_largest.sum(dim=-1, keepdim=True) -> torch.zeros_like(scores)
evidence: row_sum()
    At temperature 0 you return zeros. The weights still sum to 1: where does the weight go?
"""

SIZES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12)
TINY = (
    "is_largest / is_largest.sum(dim=-1, keepdim=True) -> softmax(scores / {}, dim=-1)",
    "temperature == 0 -> False && scores / temperature -> scores / max(temperature, {})",
    "temperature == 0 -> False && scores / temperature -> scores / (temperature + {})",
)


def _cases(temperatures, *shapes):
    """In float32, and the last shape in float64 as well."""
    return lambda generator: [
        *(Case((randn(generator, *shape), t)) for shape in shapes for t in temperatures),
        *(Case((randn(generator, *shapes[-1], dtype=float64), t)) for t in temperatures),
    ]


def _cold(generator):
    """Scores / temperature of 1000 and more, where exp overflows, and others of about 1."""
    return [
        Case((0.001 * randn(generator, 2, 4), 0.001)),
        Case((1e-9 * randn(generator, 2, 4), 1e-9)),
        Case((randn(generator, 2, 4), 0.001)),
        Case((50 * randn(generator, 3, 3), 0.01)),
    ]


def _ties(generator):
    """Exact ties share; scores that differ, however little, do not."""
    low = -randn(generator, 1).abs()
    tied = tensor([[1.0, 1.0, 0.0], [2.0, 1.0, 2.0]]) + low
    three = tensor([[0.5, 3.0, 3.0, 3.0]])
    near, nearer = 1e-12 * randn(generator, 2, 3), 1e-20 * randn(generator, 2, 3)
    close = tensor([[100.0, 100.0005, 99.0]])
    words = "scores that tie exactly, temperature 0"
    almost = "scores that are close and do not tie: the larger one takes all at temperature 0"
    return [
        Case((tied, 0), label=words),
        Case((three, 0.0), label=words),
        Case((near, 0.0), label=almost),
        Case((nearer, 0.0), label=f"{almost}, however small the difference"),
        Case((close, 0.0), label=almost),
    ]


EXERCISE = Exercise(
    reference=weights_at,
    returns={"weights": "the shape of scores"},
    properties=(
        Property(
            "above 0 the weights are the softmax of scores / temperature",
            2,
            _cases((2.0, 1.0, 0.5), (2, 3), (4,), (2, 3, 3)),
        ),
        Property("at a very low temperature too they are that softmax, and stay finite", 1, _cold),
        Property(
            "at temperature 0 all weight is on the largest score of each row",
            1,
            _cases((0.0, 0), (2, 3), (2, 2, 4)),
        ),
        Property("at temperature 0 exact ties share equally, and only they", 1, _ties),
    ),
    mistakes=(
        MISTAKES,
        Mistake(
            "tiny_temperature",
            "At temperature 0 you divide by a tiny number, which you set or add. That is close to "
            "the limit and not the limit: scores that differ by less than that number still share.",
            TINY[0].format(1e-9),
            also=tuple(edit.format(size) for edit in TINY for size in SIZES),
        ),
    ),
)
