"""Lesson 11, exercise 1: the weight near the query, and what equal weights would put there."""

import torch
from torch import arange

from course_checks.exercise import Case, Exercise, Property, randn
from course_checks.score_cases import causal, draw_weights
from course_lib.attention.masks import padding_mask


def near_share(weights, width, mask):
    near = _distance(weights).abs() <= width  # (length, length)
    parts = weights, _even(weights, mask)
    found, baseline = ((part * near).sum(dim=-1).mean(dim=(0, 2)) for part in parts)
    return found, baseline


MISTAKES = """
width_off_by_one: <= width -> < width
    You leave out the keys at the distance width itself: it is <= and not <.
one_side_only: _distance(weights).abs() <= width -> \
        (_distance(weights) >= 0) & (_distance(weights) <= width) || \
        (_distance(weights) <= 0) & (-_distance(weights) <= width)
    You count the keys on one side of the query only. Those on the other side are as near.
sign_forgotten: .abs() ->
    You compare the distance with its sign, and all keys ahead seem near: take abs().
itself_left_out: _distance(weights).abs() <= width -> \
        (_distance(weights).abs() <= width) & (_distance(weights) != 0)
    You leave out the query's own token. Within a width includes a distance of 0.
sums: .mean(dim=(0, 2)) -> .sum(dim=(0, 2))
    You add up over sentences and queries. The share is the mean over both.
baseline_without_mask: return found, baseline -> \
        return found, near.expand(weights.shape).to(weights.dtype).mean(dim=-1).mean(dim=(0, 2))
    Your baseline shares out the weight among all keys. Under a mask many cannot be had, and near
    ones are a larger part of the rest.
baseline_without_edges: return found, baseline -> \
        return found, torch.full_like(baseline, (2 * width + 1) / weights.shape[-1])
    Your baseline is (2 width + 1) / length. Queries at the edges and under a mask have fewer keys:
    count for each.
blocked_keys_near: return found, baseline -> \
                allowed = mask.expand(weights.shape).to(weights.dtype); return found, \
        (near.sum(dim=-1) / allowed.sum(dim=-1)).mean(dim=(0, 2))
    Your baseline counts near keys that the mask blocks. A key must be near and allowed.
ratio_of_counts: return found, baseline -> allowed = mask.expand(weights.shape).to(weights.dtype); \
        return found, (near * allowed).sum(dim=(0, 2, 3)) / allowed.sum(dim=(0, 2, 3))
    Your baseline is all near pairs divided by all allowed pairs. Take the share of each query, and
    the mean of that.
first_sentence_only: parts = weights, _even(weights, mask) -> \
                parts = weights[:1], _even(weights, mask)[:1]
    You look at the first sentence only. Take the means over the whole batch.
mean_over_keys: (part * near).sum(dim=-1).mean(dim=(0, 2)) -> (part * near).mean(dim=(0, 2, 3))
    You take the mean over the keys as well. A query's weight on near keys is their sum.
mean_weight: (part * near).sum(dim=-1) -> ((part * near).sum(dim=-1) / near.sum(dim=-1))
    You take the mean of the near weights. How much of a query's weight lies near is their sum.
keys_not_expanded: _even(weights, mask) -> \
                (mask / mask.sum(dim=-1, keepdim=True)).expand(weights.shape)
    You count the allowed keys in the mask as it comes. One of a single column speaks of all keys:
    expand it to the shape of the weights first.
swapped: return found, baseline -> return baseline, found
    You return the baseline first. The order is (found, baseline).
one_for_each_sentence: mean(dim=(0, 2)) -> mean(dim=(1, 2))
    You take the mean over the heads. Each head should keep its own number.
baseline_of_sentence_0: _even(weights, mask) -> _even(weights, mask)[:1]
    Your baseline is that of the first sentence's mask. Take the mean over the whole batch.
"""


def _distance(weights):
    """How far the key lies before the query, (length, length)."""
    positions = arange(weights.shape[-1])
    return positions[:, None] - positions


def _even(weights, mask):
    """Equal weights on all keys that the mask allows."""
    allowed = mask.expand(weights.shape).to(weights.dtype)
    return allowed / allowed.sum(dim=-1, keepdim=True)


def _case(generator, shape, width, mask):
    return Case((draw_weights(generator, *shape, mask=mask), width, mask))


def _everything_allowed(generator):
    sizes = ((1, 2, 4, 4), 1), ((3, 2, 7, 7), 2)
    masks = (torch.ones(shape[2:], dtype=torch.bool, device="cpu") for shape, _ in sizes)
    return [_case(generator, *size, mask) for size, mask in zip(sizes, masks, strict=True)]


def _causal(generator):
    small = _case(generator, (1, 3, 5, 5), 1, causal(5))
    large = _case(generator, (2, 3, 8, 8), 2, causal(8))
    large.args[0][:, 1] = torch.eye(8, device="cpu")  # what is allowed shows in the mask only
    return [small, large]


def _other_masks(generator):
    padding = padding_mask(torch.tensor([6, 3, 4], device="cpu"), 6)  # (3, 1, 1, 6)
    own = randn(generator, 4, 6, 6) > 0.4  # a mask for each head
    own |= torch.eye(6, dtype=torch.bool, device="cpu")
    return [
        _case(generator, (3, 2, 6, 6), 1, padding),
        _case(generator, (2, 4, 6, 6), 1, own),
        _case(generator, (2, 3, 5, 5), 0, causal(5)),
        _case(generator, (2, 3, 6, 6), 1, torch.ones(6, 1, dtype=torch.bool, device="cpu")),
    ]


EXERCISE = Exercise(
    reference=near_share,
    returns={"found": "(num_heads,)", "baseline": "(num_heads,)"},
    properties=(
        Property(
            "the weight found within the width, on both sides", 1, _everything_allowed, "found"
        ),
        Property(
            "the baseline, where every key is allowed: fewer keys are near at the edges",
            1,
            _everything_allowed,
            "baseline",
        ),
        Property("both under a causal mask", 2, _causal),
        Property("both under other masks, and for a width of 0", 1, _other_masks),
    ),
    mistakes=MISTAKES,
)
