"""Norms that measure a token's size in another way than RMSNorm, or use it in another way."""

import math

from torch.nn.functional import normalize


def root_of(mean_square, eps):
    return (mean_square + eps).sqrt()


def variant(
    dims=lambda x: (-1,),
    size=lambda x: x.square(),
    count=lambda d: d,
    root=root_of,
    numerator=lambda x, dims: x,
    affine=lambda normal, weight: normal * weight,
):
    """A version that measures a token's size in another way, or uses it in another way."""

    def version(x, weight, eps):
        axes = dims(x)
        sizes = size(x)
        total = sizes.sum(dim=axes, keepdim=True)
        mean_square = total / count(sizes.numel() // total.numel())
        return affine(numerator(x, axes) / root(mean_square, eps), weight)

    return version


def centred(x, dims=(-1,)):
    return x - x.mean(dim=dims, keepdim=True)


def squares_around_the_mean(x):
    return centred(x).square()


def less_one(d):
    return d - 1


def eps_outside(mean_square, eps):
    return mean_square.sqrt() + eps


def without_eps(mean_square, eps):
    return mean_square.sqrt()


def without_zero(mean_square, eps):
    """As torch's normalize, which divides by 1e-12 at least."""
    return mean_square.sqrt().clamp(min=1e-12)


def scaled_normalize(x, weight, eps):
    return normalize(x, dim=-1, eps=eps) * math.sqrt(x.shape[-1]) * weight


def by_mean_size(x, weight, eps):
    return x / (x.abs().mean(dim=-1, keepdim=True) + eps) * weight


def by_mean(x, weight, eps):
    return x / (x.mean(dim=-1, keepdim=True).square() + eps).sqrt() * weight


def by_largest(x, weight, eps):
    return x / (x.abs().amax(dim=-1, keepdim=True) + eps) * weight


def weight_in_the_size(x, weight, eps):
    return x / root_of((x * weight).square().mean(dim=-1, keepdim=True), eps)


def multiplied(x, weight, eps):
    return x * root_of(x.square().mean(dim=-1, keepdim=True), eps) * weight


def first_token_for_all(x, weight, eps):
    first = x.reshape(-1, x.shape[-1])[0]
    return x / root_of(first.square().mean(), eps) * weight


def size_detached(x, weight, eps):
    return x / root_of(x.detach().square().mean(dim=-1, keepdim=True), eps) * weight


def no_keepdim(x, weight, eps):
    return x / root_of(x.square().mean(dim=-1), eps) * weight


def over_axes_1_and_2(x, weight, eps):
    return variant(dims=lambda x: (1, 2) if x.dim() == 3 else (-1,))(x, weight, eps)
