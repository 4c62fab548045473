"""Answers to running_softmax (lesson 12, exercise 1), right and wrong, as students write them."""

import functools

import numpy as np
import torch


# right
def cumulative(scores):
    maximum = torch.cummax(scores, 0)[0]
    return maximum, (scores.logcumsumexp(0) - maximum).exp()


# right
def prefixes(scores):
    pairs = [
        (s.max(), (s - s.max()).exp().sum()) for s in (scores[: i + 1] for i in range(len(scores)))
    ]
    return [torch.stack(column) for column in zip(*pairs, strict=True)]


# right
def numpy(scores):
    numbers = scores.double().numpy()
    maximum = np.maximum.accumulate(numbers)
    total = [np.exp(numbers[: i + 1] - maximum[i]).sum() for i in range(len(numbers))]
    return torch.from_numpy(maximum).to(scores), torch.tensor(total).to(scores)


# wrong: the last pair at each place
# named: last_key_only
def fills_with_the_last(scores):
    maximum = scores.max()
    total = (scores - maximum).exp().sum()
    return torch.full_like(scores, maximum.item()), torch.full_like(scores, total.item())


# wrong: the factor is exp(new - old)
# named: grown
def inverse_factor(scores):
    maximum, total = scores[0], torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total * torch.exp(new - maximum) + torch.exp(s - new)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)


# wrong: logcumsumexp as it comes
# not named yet: logarithm
def log_space(scores):
    maximum = scores.cummax(dim=0).values
    return maximum, torch.logcumsumexp(scores, dim=0) - maximum


# wrong: exponentials of positive numbers, in float64
# points: 5
def plain_in_float64(scores):
    s = scores.double()
    maximum = s.cummax(0).values
    return maximum.to(scores.dtype), (s.exp().cumsum(0) / maximum.exp()).to(scores.dtype)


# wrong: returns the softmax
# says: 2 things
def one_tensor(scores):
    return torch.softmax(scores, dim=0)


# wrong: counts the scores
def adds_one(scores):
    totals = torch.arange(1, len(scores) + 1).to(scores.dtype)
    return scores.cummax(dim=0).values, totals


# wrong: sums exponentials that are not shifted
# named: never_shifted
def sums_plainly(scores):
    return scores.cummax(dim=0).values, scores.exp().cumsum(dim=0)


# wrong: shifts by the maximum of all scores
# named: maximum_of_all
def late_maximum(scores):
    return scores.cummax(dim=0).values, (scores - scores.max()).exp().cumsum(dim=0)


# wrong: cummax returns indices, too
# says: stopped with an error
def indices_of_cummax(scores):
    maximum = scores.cummax(dim=0)
    return maximum, (scores - maximum).exp()


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for length, shift in ((1, 0), (2, 3), (7, -200), (9, 200)):
        yield (5 * randn(length) + shift,)
    yield (randn(6).sort().values,)
