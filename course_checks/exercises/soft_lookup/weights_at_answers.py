"""Answers to weights_at (lesson 01, exercise 4), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F


# wrong: at 0 gives everything to the first of the largest scores, ties do not share
# named: first_of_ties
def argmax_takes_all(scores, temperature):
    if temperature == 0:
        return F.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)
    return torch.softmax(scores / temperature, dim=-1)


# wrong: at 0 returns True and False
# named: ties_not_shared | dtype
def booleans_returned(scores, temperature):
    if temperature == 0:
        return scores == scores.max(dim=-1, keepdim=True).values
    return torch.softmax(scores / temperature, dim=-1)


# wrong: always adds 1e-8 to the temperature instead of treating 0 apart
# named: tiny_temperature
def epsilon_always_added(scores, temperature):
    return torch.softmax(scores / (temperature + 1e-8), dim=-1)


# wrong: works along the first axis
# named: wrong_dimension
def first_axis(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=0, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=0, keepdim=True)
    return torch.softmax(scores / temperature, dim=0)


# wrong: at 0 the winners are turned into float32, not into the dtype of the scores
# named: dtype
def float_winners(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).float()
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores / temperature, dim=-1)


# wrong: at 0 only the largest score of the whole tensor counts, other rows get 0 / 0
# named: ties_of_whole_tensor
def global_winner(scores, temperature):
    if temperature > 0:
        return torch.softmax(scores / temperature, dim=-1)
    best = (scores == scores.max()).to(scores.dtype)
    return best / best.sum(dim=-1, keepdim=True)


# wrong: at temperature 0 scores that only nearly tie with the largest also share
# named: near_ties
def isclose(scores, temperature):
    if temperature > 0:
        return torch.softmax(scores / temperature, -1)
    best = torch.isclose(scores, scores.max(-1, keepdim=True).values, rtol=1e-3, atol=1e-3)
    return best.to(scores.dtype) / best.sum(-1, keepdim=True)


# wrong: scores that nearly tie count as equal at temperature 0
# named: near_ties
def isclose_ties(scores, temperature):
    if temperature == 0:
        best = torch.isclose(scores, scores.amax(dim=-1, keepdim=True), atol=1e-3).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores / temperature, dim=-1)


# wrong: at 0 compares with the largest score of the whole tensor, not of the row
# named: ties_of_whole_tensor
def largest_of_the_whole_tensor(scores, temperature):
    if temperature == 0:
        best = (scores == scores.max()).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores / temperature, dim=-1)


# wrong: already returns the limit for temperatures below 0.1
# named: threshold
def limit_below_a_tenth(scores, temperature):
    if temperature < 0.1:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores / temperature, dim=-1)


# right
def masked_softmax(scores, temperature):
    gap = scores - scores.amax(-1, keepdim=True)
    if temperature == 0:
        z = torch.where(gap < 0, torch.full_like(gap, -math.inf), torch.zeros_like(gap))
    else:
        z = gap / temperature
    return z.softmax(-1)


# wrong: compares the scores with the (values, indices) pair that max returns, so that temperature 0 crashes
def max_pair(scores, temperature):
    if temperature == 0:
        winners = scores.eq(scores.max(dim=-1, keepdim=True)).to(scores.dtype)
        return winners / winners.sum(-1, keepdim=True)
    return torch.softmax(scores / temperature, dim=-1)


# wrong: multiplies the scores by the temperature
# named: multiplied
def multiplied_by_the_temperature(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores * temperature, dim=-1)


# wrong: multiplies by the temperature instead of dividing
# named: multiplied
def multiplies(scores, temperature):
    if temperature == 0:
        m = (scores == scores.amax(-1, keepdim=True)).to(scores)
        return m / m.sum(-1, keepdim=True)
    return torch.softmax(scores * temperature, dim=-1)


# wrong: at 0 scores that are only close to the largest share with it
# named: near_ties
def near_ties_share(scores, temperature):
    if temperature == 0:
        top = scores.amax(dim=-1, keepdim=True)
        best = torch.isclose(scores, top, atol=1e-3).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores / temperature, dim=-1)


# wrong: divides by 0 at temperature 0
# named: nan_at_zero
def no_case_for_zero(scores, temperature):
    scaled = scores / temperature
    return torch.softmax(scaled, dim=-1)


# right
def normalize_l1(scores, temperature):
    top = torch.topk(scores, 1, dim=-1).values
    if temperature:
        return F.softmax((scores - top) / temperature, dim=-1)
    return F.normalize(scores.ge(top).to(scores.dtype), p=1, dim=-1)


# wrong: a naive softmax that overflows when the temperature is small
# named: naive
def overflows_when_cold(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    e = torch.exp(scores / temperature)
    return e / e.sum(dim=-1, keepdim=True)


# right
def right_logical_and_where(scores, temperature):
    if temperature == 0:
        best = scores >= scores.max(-1, keepdim=True).values
        return torch.where(best, 1.0, 0.0).to(scores) / best.sum(-1, keepdim=True)
    return F.softmax(scores.div(temperature), dim=scores.dim() - 1)


# right
def right_minus_infinity(scores, temperature):
    if temperature > 0:
        return torch.softmax(scores / temperature, dim=-1)
    is_best = scores == scores.amax(dim=-1, keepdim=True)
    flat = torch.zeros_like(scores).masked_fill(~is_best, -math.inf)
    return torch.softmax(flat, dim=-1)


# right
def right_multiplied_by_inverse(scores, temperature):
    best = (scores == scores.amax(dim=-1, keepdim=True)).type_as(scores)
    if not temperature:
        return best / best.sum(dim=-1, keepdim=True)
    wide = scores.double() * (1.0 / temperature)
    return (wide - wide.logsumexp(dim=-1, keepdim=True)).exp().to(scores.dtype)


# right
def right_row_by_row(scores, temperature):
    def one(row):
        top = max(row.tolist())
        if temperature == 0:
            count = row.tolist().count(top)
            return torch.tensor([(s == top) / count for s in row.tolist()], dtype=scores.dtype)
        e = torch.exp((row - top) / temperature)
        return e / e.sum()

    rows = [one(row) for row in scores.reshape(-1, scores.shape[-1])]
    return torch.stack(rows).reshape(scores.shape)


# right
def right_shift_first(scores, temperature):
    shifted = scores - scores.max(dim=-1, keepdim=True)[0]
    e = (shifted / temperature).exp() if temperature else 1.0 * shifted.eq(0).type_as(scores)
    return e / e.sum(dim=-1, keepdim=True)


# wrong: divides the caller's scores in place
# named: changes_input
def scores_divided_in_place(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    scores /= temperature
    return torch.softmax(scores, dim=-1)


# wrong: at 0 all weight goes to the smallest score
# named: smallest_at_zero
def smallest_wins_at_zero(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amin(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores / temperature, dim=-1)


# wrong: never divides by the temperature, only treats 0 apart
# named: ignored
def temperature_ignored(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores, dim=-1)


# wrong: divides by the square of the temperature
def temperature_squared(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores / temperature**2, dim=-1)


# wrong: at 0 divides by the number of winners of all rows together
# named: shared_over_table
def ties_counted_in_the_whole_tensor(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum()
    return torch.softmax(scores / temperature, dim=-1)


# wrong: at 0 every largest score gets weight 1, so a tied row adds up to 2
# named: ties_not_shared
def ties_get_one_each(scores, temperature):
    if temperature == 0:
        return (scores == scores.max(dim=-1, keepdim=True).values).to(scores.dtype)
    return torch.softmax(scores / temperature, dim=-1)


# wrong: every tied winner gets weight 1 instead of a share
# named: ties_not_shared
def ties_get_one_each_2(scores, temperature):
    if temperature == 0:
        return (scores == scores.amax(-1, keepdim=True)).to(scores.dtype)
    return (scores / temperature).softmax(-1)


# wrong: multiplies by the temperature instead of dividing
# named: multiplied
def times_temperature(scores, temperature):
    if temperature == 0:
        top = scores == scores.amax(dim=-1, keepdim=True)
        return top.to(scores.dtype) / top.sum(dim=-1, keepdim=True)
    return torch.softmax(scores * temperature, dim=-1)


# wrong: replaces 0 by a tiny temperature, at which near ties still share
# named: tiny_temperature
def tiny_temperature(scores, temperature):
    return torch.softmax(scores / max(temperature, 1e-6), dim=-1)


# wrong: shares between the two largest scores whether they tie or not
def two_winners_always(scores, temperature):
    if temperature == 0:
        best = torch.zeros_like(scores)
        return best.scatter(-1, scores.topk(min(2, scores.shape[-1]), dim=-1).indices, 0.5)
    return torch.softmax(scores / temperature, dim=-1)


# wrong: mixes up the two limits and spreads the weight evenly at 0
# named: even_at_zero
def uniform_at_zero(scores, temperature):
    if temperature == 0:
        return torch.full_like(scores, 1 / scores.shape[-1])
    return torch.softmax(scores / temperature, dim=-1)


# wrong: every temperature below 1 is treated as the limit
def uniform_small(scores, temperature):
    if int(temperature) == 0:
        best = (scores == scores.max(-1, keepdim=True).values).to(scores.dtype)
        return best / best.sum(-1, keepdim=True)
    return torch.softmax(scores / temperature, -1)


# wrong: at 0 the largest of the whole tensor takes all, and the other rows get nothing
# named: ties_of_whole_tensor
def one_winner_for_all_rows(scores, temperature):
    if temperature == 0:
        best = (scores == scores.max()).to(scores.dtype)
        return best / best.sum()
    return torch.softmax(scores / temperature, -1)


# wrong: divides the weights by the temperature after the softmax
# named: divided_after
def weights_divided_not_scores(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores, dim=-1) / temperature


# right
def winners_softmax(scores, temperature):
    if temperature == 0:
        return scores.masked_fill(scores < scores.amax(-1, keepdim=True), -torch.inf).softmax(-1)
    return scores.div(temperature).softmax(-1)


# wrong: returns no weight at all at temperature 0
# named: zeros_at_zero
def zeros_at_zero(scores, temperature):
    if temperature == 0:
        return torch.zeros_like(scores)
    return torch.softmax(scores / temperature, dim=-1)
