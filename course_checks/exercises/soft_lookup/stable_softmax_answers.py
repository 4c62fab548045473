"""Answers to stable_softmax (lesson 01, exercise 3), right and wrong, as students write them."""

import torch


# wrong: subtracts the largest exponential, after exp, instead of the largest score before it
# named: shifted_after_exp
def after_the_exponential(scores):
    e = scores.exp()
    e = e - e.amax(dim=-1, keepdim=True)
    return e / e.sum(dim=-1, keepdim=True)


# wrong: takes [1] of max, the index of the largest score, and subtracts that
# named: minus_argmax
def argmax_subtracted(scores):
    shifted = scores - scores.max(dim=-1, keepdim=True)[1]
    e = shifted.exp()
    return e / e.sum(-1, keepdim=True)


# wrong: writes dim=1, which is the last axis only of a table
# named: dimension_one
def axis_one(scores):
    e = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    return e / e.sum(dim=1, keepdim=True)


# wrong: works in float32 and returns that whatever the dtype of the scores
# named: dtype
def cast_to_float32(scores):
    scores = scores.to(torch.float32)
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)


# wrong: clamps the scores to at most 80 instead of subtracting the maximum, which makes large scores equal
# named: clamped
def clamp(scores):
    e = scores.clamp(min=-80, max=80).exp()
    return e / e.sum(-1, keepdim=True)


# wrong: works along axis 1, which is the last one only for 2-D scores
# named: dimension_one
def dim_one(scores):
    m = torch.amax(scores, dim=1, keepdim=True)
    e = torch.exp(scores - m)
    return e / e.sum(dim=1, keepdim=True)


# wrong: divides the scores by the largest score instead of subtracting it
# named: divided_by_max
def divided_by_the_largest(scores):
    e = torch.exp(scores / scores.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)


# wrong: adds 1e-3 to the denominator, so the rows add up to less than 1
# named: eps_after_shift
def epsilon_in_the_denominator(scores):
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return e / (e.sum(dim=-1, keepdim=True) + 1e-3)


# wrong: subtracts the first score of the row, so that another far above it still overflows
# named: minus_fixed_place
def first_of_the_row(scores):
    e = torch.exp(scores - scores[..., :1])
    return e / e.sum(dim=-1, keepdim=True)


# wrong: subtracts the largest score of the whole tensor, so a row far below it underflows to 0/0
# named: minus_global_max
def global_max(scores):
    e = (scores - scores.max()).exp()
    return e / e.sum(dim=-1, keepdim=True)


# wrong: subtracts the largest score of the whole tensor, so rows far below give 0 / 0
# named: minus_global_max
def global_max_2(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum(dim=-1, keepdim=True)


# wrong: changes the caller's tensor
# named: changes_input
def in_place_sub(scores):
    scores -= scores.max(dim=-1, keepdim=True).values
    e = scores.exp()
    return e / e.sum(dim=-1, keepdim=True)


# wrong: the largest of each row without keepdim lines up with the wrong axis
# named: max_without_keepdim
def keepdim_forgotten_at_max(scores):
    e = torch.exp(scores - scores.max(dim=-1).values)
    return e / e.sum(dim=-1, keepdim=True)


# wrong: the sum of each row without keepdim lines up with the wrong axis
# named: max_without_keepdim
def keepdim_forgotten_at_sum(scores):
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1)


# wrong: subtracts the largest of each column, which changes the weights of the rows
# named: minus_column_max
def largest_of_each_column(scores):
    e = torch.exp(scores - scores.max(dim=0).values)
    return e / e.sum(dim=-1, keepdim=True)


# wrong: returns the log of the softmax
# named: logarithm
def logarithm_of_the_softmax(scores):
    top = scores.max(dim=-1, keepdim=True).values
    return scores - top - torch.exp(scores - top).sum(dim=-1, keepdim=True).log()


# wrong: exp(scores - logsumexp): for huge scores the logarithm of the sum is lost in rounding, so that equal ones get 1 each
# named: by_logsumexp
def logsumexp(scores):
    return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()


# wrong: subtracts the mean of the row, which still overflows when one score is far above it
# named: minus_mean
def mean_subtracted(scores):
    e = torch.exp(scores - scores.mean(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)


# wrong: the naive softmax again, which overflows on large scores
# named: naive
def naive(scores):
    e = torch.exp(scores)
    return e / e.sum(dim=-1, keepdim=True)


# wrong: replaces the NaN of the overflow by 1, the weight of the largest
# named: nan_to_num
def nan_turned_into_one(scores):
    e = torch.exp(scores)
    return torch.nan_to_num(e / e.sum(dim=-1, keepdim=True), nan=1.0)


# wrong: replaces the NaN of the overflow by 0
# named: nan_to_num
def nan_turned_into_zero(scores):
    e = torch.exp(scores)
    return torch.nan_to_num(e / e.sum(dim=-1, keepdim=True), nan=0.0)


# wrong: subtracts the largest, takes exp and returns that
# named: not_normalised
def not_normalised(scores):
    return torch.exp(scores - scores.max(dim=-1, keepdim=True).values)


# wrong: computes in float64 without subtracting anything, which overflows later but does
# named: only_float64
def only_double_precision(scores):
    e = torch.exp(scores.double())
    return (e / e.sum(dim=-1, keepdim=True)).to(scores.dtype)


# right
def pairwise(scores):
    top = torch.amax(scores, -1).unsqueeze(-1)
    e = torch.exp(scores.sub(top))
    return torch.div(e, torch.sum(e, -1, True))


# right
def right_copy_in_place(scores):
    result = scores.clone()
    result -= result.amax(-1, True)
    result.exp_()
    result /= result.sum(-1, True)
    return result


# right
def right_in_double_precision(scores):
    wide = scores.to(torch.float64)
    top, _ = wide.max(dim=-1, keepdim=True)
    wide = (wide - top).exp()
    return (wide / wide.sum(dim=-1, keepdim=True)).type_as(scores)


# right
def right_logsumexp(scores):
    shifted = scores - scores.amax(dim=-1, keepdim=True)
    return torch.exp(shifted - torch.logsumexp(shifted, dim=-1, keepdim=True))


# right
def right_one_over_sum_of_differences(scores):
    differences = scores[..., None, :] - scores[..., :, None]  # entry (i, j) is s_j - s_i
    return 1 / differences.exp().sum(dim=-1)


# right
def right_rows_in_a_loop(scores):
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        e = torch.exp(row - max(row))
        rows.append(e / sum(e))
    return torch.stack(rows).reshape(scores.shape)


# right
def right_sorted_top(scores):
    top = torch.sort(scores, dim=-1, descending=True).values[..., :1]
    e = (scores - top).exp()
    return e.div(e.sum(-1).unsqueeze(-1))


# wrong: clamps the scores at 80, so all larger ones become equal
# named: clamped
def scores_clamped(scores):
    e = torch.exp(scores.clamp(max=80))
    return e / e.sum(dim=-1, keepdim=True)


# wrong: divides the shifted scores by their sum and leaves out exp
# named: without_exp
def scores_not_exponentiated(scores):
    shifted = scores - scores.max(dim=-1, keepdim=True).values
    return shifted / shifted.sum(dim=-1, keepdim=True)


# wrong: subtracts the largest absolute value, so a very negative score makes the row vanish
# named: minus_largest_size
def shift_by_absolute_value(scores):
    e = torch.exp(scores - scores.abs().amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)


# wrong: subtracts only if the first row is large
def shift_only_above_fifty(scores):
    if scores.flatten()[0] > 50:
        scores = scores - scores.max(dim=-1, keepdim=True).values
    e = scores.exp()
    return e / e.sum(dim=-1, keepdim=True)


# wrong: subtracts the smallest score of the row instead of the largest
# named: minus_min
def smallest_subtracted(scores):
    e = torch.exp(scores - scores.min(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)


# right
def sorted_top(scores):
    top = scores.sort(dim=-1, descending=True).values[..., :1]
    e = scores.sub(top).exp()
    return e.div(e @ torch.ones(e.shape[-1], 1, dtype=e.dtype, device=e.device))


# wrong: x is the same tensor as scores, so x -= max changes the caller's tensor
# named: changes_input
def sub_inplace(scores):
    x = scores
    x -= x.max(dim=-1, keepdim=True)[0]
    return x.exp() / x.exp().sum(dim=-1, keepdim=True)


# wrong: subtracts the mean of the row, so that the largest exponent can still overflow
# named: minus_mean
def subtract_mean(scores):
    e = (scores - scores.mean(dim=-1, keepdim=True)).exp()
    return e / e.sum(dim=-1, keepdim=True)


# wrong: divides by the sum of the whole tensor
# named: summed_over_all
def sum_over_everything(scores):
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return e / e.sum()


# wrong: normalises over the first axis
# named: summed_over_first
def sum_over_the_first_axis(scores):
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return e / e.sum(dim=0, keepdim=True)


# wrong: a millionth in the denominator
# named: eps_after_shift
def a_millionth_below(scores):
    numerators = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return numerators / (numerators.sum(dim=-1, keepdim=True) + 1e-6)
