"""Answers to stable_softmax (lesson 01, exercise 3), right and wrong, as students write them."""

import functools

import torch


# right
def by_torch(scores):
    return torch.softmax(scores, dim=-1)


# right
def logsumexp(scores):
    shifted = scores - scores.amax(dim=-1, keepdim=True)
    return torch.exp(shifted - torch.logsumexp(shifted, dim=-1, keepdim=True))


# right
def float64(scores):
    shifted = scores.double() - scores.double().max(-1, keepdim=True).values
    return (shifted.exp() / shifted.exp().sum(-1).unsqueeze(-1)).to(scores.dtype)


# wrong: works in float32 and returns that whatever the dtype of the scores
# named: dtype
def cast_to_float32(scores):
    scores = scores.to(torch.float32)
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)


# wrong: divides the scores by the largest score instead of subtracting it
# named: divided_by_max
def divided_by_the_largest(scores):
    e = torch.exp(scores / scores.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)


# wrong: changes the caller's tensor
# named: changes_input
# points: 5
def in_place_sub(scores):
    scores -= scores.max(dim=-1, keepdim=True).values
    e = scores.exp()
    return e / e.sum(dim=-1, keepdim=True)


# wrong: returns the log of the softmax
# named: logarithm
def logarithm_of_the_softmax(scores):
    top = scores.max(dim=-1, keepdim=True).values
    return scores - top - torch.exp(scores - top).sum(dim=-1, keepdim=True).log()


# wrong: subtracts only if the first row is large
# points: 4
def shift_only_above_fifty(scores):
    if scores.flatten()[0] > 50:
        scores = scores - scores.max(dim=-1, keepdim=True).values
    e = scores.exp()
    return e / e.sum(dim=-1, keepdim=True)


# wrong: sums without keepdim
# says: keepdim=True keeps the axis
def forgotten_keepdim(scores):
    return scores.exp() / scores.exp().sum(dim=-1)


# wrong: max with a dimension returns indices, too
# says: use amax, or .values
def max_with_indices(scores):
    shifted = scores - scores.max(dim=-1)
    return shifted.exp()


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for scale in (1, 30, 3000):
        for shape in ((7,), (5, 2), (3, 1, 4), (2, 3, 2, 5)):
            yield (scale * randn(*shape),)
