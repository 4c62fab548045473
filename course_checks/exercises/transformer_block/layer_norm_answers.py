"""Answers to layer_norm (lesson 08, exercise 1), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F


# right
def by_var(x, weight, bias, eps):
    var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
    return torch.addcmul(bias, (x - mean).div((eps + var) ** 0.5), weight)


# right
def moments(x, weight, bias, eps):
    """The variance as the mean square less the squared mean; in float64, or it would round."""
    y = x.double()
    mean = y.mean(-1).unsqueeze(-1)
    variance = (y**2).mean(-1).unsqueeze(-1) - mean**2
    return (bias + weight * (y - mean) * (variance + eps) ** -0.5).to(x.dtype)


# right
def loop(x, weight, bias, eps):
    """A token at a time."""
    rows = []
    for token in x.reshape(-1, x.shape[-1]):
        variance, mean = torch.var_mean(token, correction=0)
        rows.append(weight * (token - mean) * torch.rsqrt(variance + eps) + bias)
    return torch.stack(rows).view_as(x)


# wrong: the answer is detached
# named: cut_off
def detached_result(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return ((x - mean) / torch.sqrt(variance + eps) * weight + bias).detach()


# wrong: x is centred in place
# named: changes_input
# points: 5
def in_place(x, weight, bias, eps):
    with torch.no_grad():
        x -= x.mean(dim=-1, keepdim=True)
    return x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * weight + bias


# wrong: calls torch's own
# named: forbidden
def library(x, weight, bias, eps):
    return F.layer_norm(x, x.shape[-1:], weight, bias, eps)


# wrong: one mean and one variance for the whole tensor
# named: over_sentences
def over_everything(x, weight, bias, eps):
    return (x - x.mean()) / torch.sqrt(x.var(correction=0) + eps) * weight + bias


# wrong: E[x^2] - E[x]^2 (cancels at a large mean)
# named: moments
# points: 6
def clamped_moments(x, weight, bias, eps):
    m = x.mean(-1, keepdim=True)
    v = x.square().mean(-1, keepdim=True) - m.square()
    return (x - m) / (v.clamp(min=0) + eps).sqrt() * weight + bias


# wrong: divides by the unbiased std plus eps
# named: unbiased_and_eps_outside
def std_and_eps(x, weight, bias, eps):
    return weight * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + bias


# wrong: mean and variance without keepdim
# says: keepdim=True keeps the axis
def norm_without_keepdim(x, weight, bias, eps):
    return (x - x.mean(-1)) / (x.var(-1) + eps).sqrt() * weight + bias


# wrong: over all axes but the batch
# named: over_sentences
def all_but_the_batch(x, weight, bias, eps):
    axes = tuple(range(1, x.dim()))
    mean = x.mean(dim=axes, keepdim=True)
    var = x.var(dim=axes, unbiased=False, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * weight + bias


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, spread, eps in (((2, 6), 1, 1e-5), ((2, 2, 3), 0.01, 1e-4), ((3, 3), 2, 0.3)):
        yield spread * randn(*shape) + 1, randn(shape[-1]), randn(shape[-1]), eps
    yield torch.ones(2, 4), randn(4), randn(4), 1e-3
