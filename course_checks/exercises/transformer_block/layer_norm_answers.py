"""Answers to layer_norm (lesson 08, exercise 1), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F


# wrong: the bias is added before the weight multiplies
# named: bias_first
def bias_first(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return ((x - mean) / torch.sqrt(variance + eps) + bias) * weight


# wrong: the bias is left out
# named: no_bias
def bias_missing(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * weight


# wrong: multiplies the bias by the weight as well
# named: bias_first
def bias_scaled(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return ((x - mean) / (var + eps).sqrt() + bias) * weight


# wrong: the variance is clamped at eps instead of adding it
# named: eps_as_least
def clamp_eps(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance.clamp(min=eps)) * weight + bias


# wrong: var divides by d - 1
# named: unbiased
def correction_one(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias


# wrong: only the mean is detached
# named: gradient_cut
def detached_mean(x, weight, bias, eps):
    centred = x - x.mean(dim=-1, keepdim=True).detach()
    return centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + eps) * weight + bias


# wrong: the answer is detached
# named: cut_off
def detached_result(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return ((x - mean) / torch.sqrt(variance + eps) * weight + bias).detach()


# wrong: mean and variance are detached, so their gradient is missing
# named: gradient_cut
def detached_statistics(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True).detach()
    variance = x.var(dim=-1, keepdim=True, correction=0).detach()
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias


# wrong: only the variance is detached
# named: gradient_cut
def detached_variance(x, weight, bias, eps):
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.detach().square().mean(dim=-1, keepdim=True)
    return centred / torch.sqrt(variance + eps) * weight + bias


# wrong: dim=1, which is the features of a two-dimensional x only
# named: over_axis_1
def dim_one(x, weight, bias, eps):
    dim = min(1, x.dim() - 1)
    mean = x.mean(dim=dim, keepdim=True)
    variance = x.var(dim=dim, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias


# wrong: ignores eps and uses 1e-5
# named: eps_of_its_own
def eps_fixed(x, weight, bias, eps=1e-5):
    c = x - x.mean(dim=-1, keepdim=True)
    return c * torch.rsqrt(c.square().mean(dim=-1, keepdim=True) + 1e-5) * weight + bias


# wrong: 1e-5 instead of the eps that is given
# named: eps_of_its_own
def eps_of_the_example(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + 1e-5) * weight + bias


# wrong: eps is added to the standard deviation, outside the root
# named: eps_outside
def eps_outside(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return weight * c / (c.square().mean(-1, keepdim=True).sqrt() + eps) + bias


# wrong: adds eps to the root instead of under it
# named: eps_outside
def eps_outside_2(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    std = x.std(dim=-1, keepdim=True, correction=0)
    return weight * (x - mean) / (std + eps) + bias


# wrong: eps squared inside the root
# named: eps_squared
def eps_squared(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps**2) * weight + bias


# wrong: all tokens are normalised with mean and variance of the first one
# named: first_token_for_all
def first_token_statistics(x, weight, bias, eps):
    first = x.reshape(-1, x.shape[-1])[0]
    return (x - first.mean()) / torch.sqrt(first.var(correction=0) + eps) * weight + bias


# right
def float64_inside(x, weight, bias, eps):
    y = x.double()
    y = y - y.mean(-1, keepdim=True)
    y = y / (y.pow(2).mean(-1, keepdim=True) + eps) ** 0.5
    return (y * weight + bias).to(x.dtype)


# wrong: x is centred in place
# named: changes_input
def in_place(x, weight, bias, eps):
    with torch.no_grad():
        x -= x.mean(dim=-1, keepdim=True)
    return x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * weight + bias


# wrong: keepdim is missing where tokens and features are equally many
def keepdim_missing(x, weight, bias, eps):
    keep = not (x.dim() == 2 and x.shape[0] == x.shape[1])
    mean = x.mean(dim=-1, keepdim=keep)
    variance = x.var(dim=-1, keepdim=keep, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias


# wrong: calls torch's own
# named: forbidden
def library(x, weight, bias, eps):
    return F.layer_norm(x, x.shape[-1:], weight, bias, eps)


# wrong: calls torch's native_layer_norm
# named: forbidden
def library_native(x, weight, bias, eps):
    return torch.native_layer_norm(x, x.shape[-1:], weight, bias, eps)[0]


# wrong: the mean of the absolute values in the place of the root
# named: mean_size
def mean_absolute(x, weight, bias, eps):
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / (centred.abs().mean(dim=-1, keepdim=True) + eps) * weight + bias


# wrong: the mean is not subtracted (an RMSNorm)
# named: root_mean_square
def mean_not_subtracted(x, weight, bias, eps):
    return x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * weight + bias


# wrong: computes the variance as mean of squares minus square of the mean, which cancels for a large mean
# named: moments
def mean_of_squares(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    var = (x * x).mean(dim=-1, keepdim=True) - mean * mean
    return (x - mean) / (var + eps).sqrt() * weight + bias


# wrong: eps is left out
# named: no_eps
def no_eps(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance) * weight + bias


# wrong: computed under no_grad
# named: cut_off
def no_grad(x, weight, bias, eps):
    with torch.no_grad():
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, correction=0)
        return (x - mean) / torch.sqrt(variance + eps) * weight + bias


# wrong: mean and variance lose their axis and line up with the features
def no_keepdim(x, weight, bias, eps):
    mean = x.mean(dim=-1)
    var = ((x.transpose(-1, -2) - mean).square()).mean(dim=-2)
    return ((x.transpose(-1, -2) - mean) / (var + eps).sqrt()) * weight + bias


# wrong: divided by the variance, not by its root
# named: no_root
def no_root(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / (variance + eps) * weight + bias


# wrong: multiplies by 1 + weight, as Gemma does
# named: one_plus_weight
def one_plus_weight(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * (1 + weight) + bias


# wrong: mean and variance over dim 0, a BatchNorm
# named: over_the_first_axis
def over_batch(x, weight, bias, eps):
    mean = x.mean(dim=0, keepdim=True)
    variance = x.var(dim=0, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias


# wrong: one mean and one variance for the whole tensor
# named: over_sentences
def over_everything(x, weight, bias, eps):
    return (x - x.mean()) / torch.sqrt(x.var(correction=0) + eps) * weight + bias


# wrong: mean and variance over the tokens, dim=-2
# named: over_tokens
def over_tokens(x, weight, bias, eps):
    dim = -2 if x.dim() > 1 else -1
    mean = x.mean(dim=dim, keepdim=True)
    variance = x.var(dim=dim, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias


# wrong: mean and variance over the tokens (axis -2)
# named: over_tokens
def over_tokens_2(x, weight, bias, eps):
    mean = x.mean(dim=-2, keepdim=True)
    var = x.var(dim=-2, keepdim=True, unbiased=False)
    return (x - mean) / (var + eps).sqrt() * weight + bias


# wrong: mean and variance over dims (1, 2)
# named: over_sentences
def over_tokens_and_features(x, weight, bias, eps):
    dims = (1, 2) if x.dim() == 3 else -1
    mean = x.mean(dim=dims, keepdim=True)
    variance = x.var(dim=dims, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias


# right
def projection(x, weight, bias, eps):
    d = x.shape[-1]
    centre = torch.eye(d, dtype=x.dtype) - 1 / d
    centred = (x - x[..., :1]) @ centre
    length = torch.sqrt(torch.einsum("...d,...d->...", centred, centred) / d + eps)
    return torch.addcmul(bias, centred / length[..., None], weight)


# wrong: divides by the root mean square of x, not of x minus its mean
# named: squares_not_centred
def rms(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return c * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight + bias


# wrong: an RMSNorm: divides x by its root mean square without subtracting the mean
# named: root_mean_square
def rms_2(x, weight, bias, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight + bias


# wrong: the root of the variance plus the root of eps
# named: root_of_eps_outside
def root_eps_outside(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / (variance.sqrt() + math.sqrt(eps)) * weight + bias


# right
def rsqrt(x, weight, bias, eps):
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return (x - mean) * torch.rsqrt(variance + eps) * weight + bias


# wrong: mean of squares minus square of the mean, which loses everything for a large mean
# named: moments
def squares_minus_square(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = (x * x).mean(dim=-1, keepdim=True) - mean * mean
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias


# wrong: the statistics are computed under no_grad
# named: gradient_cut
def statistics_under_no_grad(x, weight, bias, eps):
    with torch.no_grad():
        mean = x.mean(dim=-1, keepdim=True)
        std = torch.sqrt(x.var(dim=-1, keepdim=True, correction=0) + eps)
    return (x - mean) / std * weight + bias


# wrong: eps stands outside the root
# named: eps_outside
def std_plus_eps(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    std = x.std(dim=-1, keepdim=True, correction=0)
    return (x - mean) / (std + eps) * weight + bias


# wrong: the sum of the squares instead of their mean
# named: sum_of_squares
def sum_of_squares(x, weight, bias, eps):
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / torch.sqrt(centred.square().sum(dim=-1, keepdim=True) + eps) * weight + bias


# right
def through_the_norm(x, weight, bias, eps):
    centred = x - torch.mean(x, -1, True)
    d = x.shape[-1]
    variance = torch.linalg.vecdot(centred, centred) / d
    return weight * centred / (variance + eps).sqrt().unsqueeze(-1) + bias


# wrong: mean and variance are taken over the last two axes (all tokens of a sentence together)
# named: over_sentences
def token_axis(x, weight, bias, eps):
    axes = (-2, -1) if x.dim() > 1 else (-1,)
    c = x - x.mean(axes, keepdim=True)
    return c / (c.pow(2).mean(axes, keepdim=True) + eps).sqrt() * weight + bias


# right
def token_by_token(x, weight, bias, eps):
    tokens = []
    for token in x.reshape(-1, x.shape[-1]):
        centred = token - token.mean()
        tokens.append(
            centred / torch.sqrt((centred * centred).sum() / len(token) + eps) * weight + bias
        )
    return torch.stack(tokens).reshape(x.shape)


# wrong: the variance is right, but x is not centred above it
# named: not_centred
def uncentred_numerator(x, weight, bias, eps):
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return x / torch.sqrt(variance + eps) * weight + bias


# wrong: the mean of the squares of x itself stands in the root
# named: squares_not_centred
def uncentred_variance(x, weight, bias, eps):
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * weight + bias


# right
def var_mean(x, weight, bias, eps):
    var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return torch.addcmul(bias, (x - mean) * (var + eps).rsqrt(), weight)


# wrong: multiplies by the bias and adds the weight
# named: weight_bias_exchanged
def weight_and_bias_exchanged(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * bias + weight


# wrong: weight and bias are detached, so they do not learn
# named: cut_off
def weight_detached(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * weight.detach() + bias.data


# wrong: the weight is left out
# named: no_weight
def weight_missing(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) + bias


# wrong: a token with equal features is divided by its size instead
# named: zero_replaced
def zero_replaced(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    std = x.std(dim=-1, keepdim=True, correction=0)
    std = torch.where(std == 0, torch.ones_like(std), std)
    return (x - mean) / std * weight + bias


# wrong: E[x^2] - E[x]^2 (cancels at a large mean)
# named: moments
def clamped_moments(x, weight, bias, eps):
    m = x.mean(-1, keepdim=True)
    v = x.square().mean(-1, keepdim=True) - m.square()
    return (x - m) / (v.clamp(min=0) + eps).sqrt() * weight + bias


# right
def right_by_a_matrix(x, weight, bias, eps):
    d = x.shape[-1]
    c = x @ (torch.eye(d, dtype=x.dtype) - 1 / d)
    return c / (c.square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias


# wrong: torch's batch norm of the transposed tokens
# named: forbidden
def torchs_batch_norm(x, weight, bias, eps):
    rows = x.reshape(-1, x.shape[-1]).T
    return (
        torch.nn.functional.batch_norm(rows, None, None, training=True, eps=eps).T.reshape(x.shape)
        * weight
        + bias
    )


# wrong: over all axes but the batch
# named: over_sentences
def all_but_the_batch(x, weight, bias, eps):
    axes = tuple(range(1, x.dim()))
    mean = x.mean(dim=axes, keepdim=True)
    var = x.var(dim=axes, unbiased=False, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * weight + bias
