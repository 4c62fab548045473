"""Answers to merge_parts (lesson 12, exercise 2), right and wrong, as students write them."""

import math

import torch


# wrong: the maxima are added
# not named yet: smaller_maximum
def added_maxima(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return m1 + m2, a * t1 + b * t2, a * w1 + b * w2


# wrong: exp(m) * total, and back
# named: overflows
def back_to_plain_sums(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = m1.exp()
    b = m2.exp()
    return new, (a * t1 + b * t2) / new.exp(), (a * w1 + b * w2) / new.exp()


# wrong: a dictionary comes back
def dictionary(first, second):
    m = torch.maximum(first[0], second[0])
    a, b = torch.exp(first[0] - m), torch.exp(second[0] - m)
    return {
        "maximum": m,
        "total": a * first[1] + b * second[1],
        "weighted": a * first[2] + b * second[2],
    }


# wrong: a and b exchanged
# named: exchanged_factors
def factors_swapped(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m2 - safe)
    b = torch.exp(m1 - safe)
    return new, a * t1 + b * t2, a * w1 + b * w2


# wrong: the mean of both
# named: mean_of_parts
def halves(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, (a * t1 + b * t2) / 2, (a * w1 + b * w2) / 2


# wrong: -inf - -inf
# named: minus_infinity_twice
def no_care_for_empty(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = new
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, a * t1 + b * t2, a * w1 + b * w2


# wrong: sums without factors
# named: only_added
def no_factors(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, t1 + t2, w1 + w2


# wrong: the output instead of the sum
# named: divided
def output_returned(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, a * t1 + b * t2, (a * w1 + b * w2) / (a * t1 + b * t2)


# wrong: everything relative to the first maximum
# named: first_maximum
def relative_to_first(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = m1
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, a * t1 + b * t2, a * w1 + b * w2


# wrong: the smaller maximum
# named: smaller_maximum
def relative_to_smaller(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.minimum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, a * t1 + b * t2, a * w1 + b * w2


# right
def right_one_table(first, second):
    """Total and weighted side by side in one matrix."""
    (m1, *rest1), (m2, *rest2) = first, second
    new = torch.fmax(m1, m2)
    shift = new.clamp(min=torch.finfo(new.dtype).min)
    both = torch.cat(rest1, 1) * torch.exp(m1 - shift) + torch.cat(rest2, 1) * torch.exp(m2 - shift)
    return new, both[:, :1], both[:, 1:]


# right
def right_sigmoid(first, second):
    """The shrinking factor is an exponential of minus the distance."""
    (m1, t1, w1), (m2, t2, w2) = first, second
    distance = (m1 - m2).nan_to_num(nan=0.0, posinf=torch.inf, neginf=-torch.inf)
    a, b = torch.exp(distance.clamp(max=0)), torch.exp((-distance).clamp(max=0))
    return torch.maximum(m1, m2), a * t1 + b * t2, a * w1 + b * w2


# right
def right_where(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.where(m1 == new, torch.ones_like(m1), torch.exp(m1 - safe))
    b = torch.where(m2 == new, torch.ones_like(m2), torch.exp(m2 - safe))
    return new, a * t1 + b * t2, a * w1 + b * w2


# wrong: exp(new - own)
# named: turned_round
def signs_turned(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(safe - m1).nan_to_num(posinf=0)
    b = torch.exp(safe - m2).nan_to_num(posinf=0)
    return new, a * t1 + b * t2, a * w1 + b * w2


# wrong: totals added as they are
# named: total_not_shrunk
def total_left(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, t1 + t2, a * w1 + b * w2


# wrong: the weighted values times their totals
# named: times_total
def weighted_by_totals(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, a * t1 + b * t2, a * t1 * w1 + b * t2 * w2


# wrong: weighted values added as they are
# named: weighted_not_shrunk
def weighted_left(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, a * t1 + b * t2, w1 + w2


# wrong: only the part with the larger maximum
# named: larger_part_wins
def winner(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, torch.where(m1 >= m2, t1, t2), torch.where(m1 >= m2, w1, w2)


# wrong: one maximum for all queries
# named: one_maximum_for_all
def one_maximum_for_all_too(first, second):
    (m, t, w), (n, u, v) = first, second
    k = torch.maximum(m, n).max().expand_as(m)
    z = torch.nan_to_num(k, neginf=0.0)
    a, b = (m - z).exp(), (n - z).exp()
    return k, a * t + b * u, a * w + b * v


# wrong: output divided already
# named: divided
def divided_too(first, second):
    (m, t, w), (n, u, v) = first, second
    k = torch.maximum(m, n)
    z = k.masked_fill(k == -math.inf, 0)
    a, b = (m - z).exp(), (n - z).exp()
    s = a * t + b * u
    return k, s, (a * w + b * v) / s.clamp(min=1e-30)


# wrong: where both are empty the new maximum becomes 0
# named: zero_for_no_key
def zero_for_no_key_too(first, second):
    (m, t, w), (n, u, v) = first, second
    k = torch.maximum(m, n)
    k = k.masked_fill(k == -math.inf, 0)
    a, b = (m - k).exp(), (n - k).exp()
    return k, a * t + b * u, a * w + b * v


# wrong: guards against parts without keys as a whole, not query by query
def guarded_as_a_whole(first, second):
    if torch.isinf(first[0]).all():
        return second
    if torch.isinf(second[0]).all():
        return first
    new = torch.maximum(first[0], second[0])
    factors = torch.exp(first[0] - new), torch.exp(second[0] - new)
    total, weighted = (factors[0] * a + factors[1] * b for a, b in zip(first[1:], second[1:]))
    return new, total, weighted


# wrong: exponentials of positive numbers, in float64
def plain_in_float64(first, second):
    (m1, t1, w1), (m2, t2, w2) = first, second
    new = torch.maximum(m1, m2)
    e = new.double().exp().clamp(min=1e-300)
    a, b = m1.double().exp() / e, m2.double().exp() / e
    return new, (a * t1 + b * t2).to(t1.dtype), (a * w1 + b * w2).to(w1.dtype)
