"""Answers to merge_parts (lesson 12, exercise 2), right and wrong, as students write them."""

import functools
import math

import torch

from course_lib.attention.online_softmax import merge, partial_softmax


# right
def by_logarithms(first, second):
    """In logarithms: log(total) + maximum, and back."""
    logs = [part[0] + part[1].log() for part in (first, second)]
    both, maximum = torch.logaddexp(*logs), torch.maximum(first[0], second[0])
    safe = maximum.masked_fill(maximum.isinf(), 0.0)
    weighted = sum(part[2] * (part[0] - safe).exp() for part in (first, second))
    return maximum, (both - safe).exp(), weighted


# right
def stacked(first, second):
    maxima = torch.stack((first[0], second[0]))
    maximum = maxima.amax(dim=0)
    factors = torch.exp(maxima - maximum.clamp(min=-1e30))
    totals, weighted = (torch.stack((first[i], second[i])) for i in (1, 2))
    return [maximum, (factors * totals).sum(0), (factors * weighted).sum(0)]


# right
def nan_to_num(first, second):
    (m1, t1, w1), (m2, t2, w2) = first, second
    m = torch.max(m1, m2)
    a, b = (m1 - m).exp().nan_to_num(0.0), (m2 - m).exp().nan_to_num(0.0)
    return m, t1 * a + t2 * b, w1 * a + w2 * b


# wrong: the maxima are added
# named: smaller_maximum
def added_maxima(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return m1 + m2, a * t1 + b * t2, a * w1 + b * w2


# wrong: -inf - -inf
# named: minus_infinity_twice
# points: 5
def no_care_for_empty(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = new
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, a * t1 + b * t2, a * w1 + b * w2


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


# wrong: adds all that it gets
def adds_everything(first, second):
    return tuple(a + b for a, b in zip(first, second, strict=True))


# wrong: writes into the first part
# named: changes_input
# points: 5
def in_place(first, second):
    maximum = torch.maximum(first[0], second[0])
    shift = maximum.masked_fill(maximum == -math.inf, 0.0)
    a, b = torch.exp(first[0] - shift), torch.exp(second[0] - shift)
    first[1].mul_(a).add_(b * second[1])
    first[2].mul_(a).add_(b * second[2])
    return maximum, first[1], first[2]


# wrong: calls the library
# named: forbidden
def of_the_course(first, second):
    from course_lib.attention.online_softmax import PartialSoftmax

    return merge(PartialSoftmax(*first), PartialSoftmax(*second))


# other inputs
def part(randn, queries, keys, features, shift=0.0):
    return tuple(partial_softmax(3 * randn(queries, keys) + shift, randn(keys, features)))


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for queries, keys, others, features in ((1, 2, 1, 3), (4, 1, 6, 2), (2, 3, 0, 2)):
        for shift in (0, 150):
            yield (
                part(randn, queries, keys, features, shift),
                part(randn, queries, others, features),
            )
    yield part(randn, 2, 0, 3), part(randn, 2, 0, 3)
