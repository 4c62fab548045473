"""Answers to block_step (lesson 08, exercise 3), right and wrong, as students write them."""

import functools

import torch
from torch import nn


# right
def before_and_after(x, sublayer, norm, norm_first):
    before, after = (norm, nn.Identity()) if norm_first else (nn.Identity(), norm)
    return after(torch.add(sublayer(before(x)), x))


# right
def by_token(x, sublayer, norm, norm_first):
    """The norm is asked about one token after the other."""

    def each(x):
        return torch.stack([norm(token) for token in x.flatten(0, -2)]).view_as(x)

    normal = each(x) if norm_first else x.clone()
    stream = x.clone()
    stream += sublayer(normal)
    return stream if norm_first else each(stream)


# wrong: post-norm whatever norm_first says
# named: always_post
# points: 3
def always_post(x, sublayer, norm, norm_first):
    return norm(x + sublayer(x))


# wrong: add_ in post-norm writes into the caller's stream
# named: changes_input
# points: 6
def in_place_post_only(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x.add_(sublayer(x)))


# wrong: all is computed under no_grad
# named: cut_off
@torch.no_grad()
def no_grad(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))


# wrong: in pre-norm the answer is normalised instead of what the sublayer reads
# named: update_normalised_in_pre
# points: 3
def norm_after_sublayer_in_pre(x, sublayer, norm, norm_first):
    if norm_first:
        return x + norm(sublayer(x))
    return norm(x + sublayer(x))


# wrong: in pre-norm the sum is with the normalised stream
# named: stream_normalised_in_pre
# points: 3
def norm_replaces_x(x, sublayer, norm, norm_first):
    if norm_first:
        x = norm(x)
        return x + sublayer(x)
    return norm(x + sublayer(x))


# wrong: the sublayer gets one token at a time, so attention sees nothing else
# named: token_by_token
def token_by_token(x, sublayer, norm, norm_first):
    def each(y):
        return torch.cat([sublayer(y[..., t : t + 1, :]) for t in range(y.shape[-2])], dim=-2)

    if norm_first:
        return x + each(norm(x))
    return norm(x + each(x))


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape in ((3, 5), (2, 4, 3)):
        weight, shift = randn(shape[-1], shape[-1]), randn(shape[-1])
        sublayer = functools.partial(torch.matmul, other=weight)
        norm = functools.partial(torch.add, shift)
        yield from ((randn(*shape), sublayer, norm, first) for first in (True, False))
        norm = functools.partial(torch.softmax, dim=-1)
        yield from ((randn(*shape), torch.sin, norm, first) for first in (True, False))
