"""Answers to rms_norm (lesson 16, exercise 1), right and wrong, as students write them."""

import math

import numpy as np
import torch
import torch.nn.functional as F


# right
def as_in_llama(x, weight, eps):
    variance = x.pow(2).mean(-1, keepdim=True)
    return weight * (x * torch.rsqrt(variance + eps))


# wrong: the mean runs over the first axis
# named: over_the_first_axis
def axis_0(x, weight, eps):
    return x / torch.sqrt(torch.mean(x**2, dim=0) + eps) * weight


# wrong: dim=1, which in a batch is the tokens
# named: over_axis_1
def axis_1(x, weight, eps):
    return x / torch.sqrt(torch.mean(x**2, dim=1, keepdim=True) + eps) * weight


# wrong: weight is added
# named: weight_added
def bias_like(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() + weight


# wrong: through NumPy, so that nothing can be learned
# named: cut_off
def by_numpy(x, weight, eps):
    a = x.detach().numpy()
    a = a / np.sqrt((a**2).mean(-1, keepdims=True) + eps)
    return torch.from_numpy(a.astype(a.dtype)).to(x.dtype) * weight.detach()


# wrong: overwrites x with the centred x and then takes the mean square: a LayerNorm
# named: layer_norm
def centred_first(x, weight, eps):
    x = x - x.mean(dim=-1, keepdim=True)
    return x / (x.pow(2).mean(dim=-1, keepdim=True) + eps) ** 0.5 * weight


# wrong: eps as the smallest mean square
# named: eps_as_least
def clamped(x, weight, eps):
    ms = x.pow(2).mean(-1, keepdim=True).clamp_min(eps)
    return x * ms.rsqrt() * weight


# wrong: no gradient goes through the root
# named: gradient_cut
def detached_size(x, weight, eps):
    with torch.no_grad():
        rms = (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    return x / rms * weight


# right
def diagonal(x, weight, eps):
    size = torch.mean(torch.square(x), dim=x.dim() - 1, keepdim=True).add(eps).sqrt()
    return torch.div(x, size) @ torch.diag(weight)


# wrong: divides by rsqrt, which multiplies by the root
# named: multiplied
def divided_by_rsqrt(x, weight, eps):
    return x / torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight


# right
def einsum(x, weight, eps):
    squares = torch.einsum("...d,...d->...", x, x) / x.shape[-1]
    return torch.einsum("...d,...,d->...d", x, (squares + eps) ** -0.5, weight)


# wrong: eps is added after the root
# named: eps_outside
def eps_after_root(x, weight, eps):
    rms = x.square().mean(-1, keepdim=True).sqrt()
    return x / (rms + eps) * weight


# wrong: 1e-6 whatever eps is given
# named: eps_of_its_own
def eps_fixed(x, weight, eps=1e-6):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight


# wrong: eps is not used
# named: no_eps
def eps_forgotten(x, weight, eps):
    return x / x.square().mean(-1, keepdim=True).sqrt() * weight


# wrong: multiplies by 1 + weight
# named: one_plus_weight
def gemma(x, weight, eps):
    normed = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return normed + normed * weight


# right
def in_float64(x, weight, eps):
    wide = x.to(torch.float64)
    rms = (wide.square().sum(dim=-1) / x.shape[-1] + eps).sqrt()
    return (wide / rms.unsqueeze(-1)).to(x.dtype) * weight


# wrong: divides x in place
# named: changes_input
def in_place(x, weight, eps):
    rms = (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    x /= rms
    return x * weight


# wrong: no keepdim, so the sizes meet the features
# named: no_keepdim
def keepdim_forgotten(x, weight, eps):
    rms = (x.pow(2).mean(dim=-1) + eps).sqrt()
    return x / rms * weight


# wrong: calls torch's layer_norm
# named: layer_norm
def layer_norm_called(x, weight, eps):
    return F.layer_norm(x, x.shape[-1:], weight, None, eps)


# wrong: divides by the length of the token, the root of the sum of squares
# named: sum_of_squares
def length_of_the_token(x, weight, eps):
    return weight * x / (x.norm(dim=-1, keepdim=True) + eps)


# wrong: subtracts the mean and divides by the standard deviation, as a LayerNorm
# named: layer_norm
def like_layer_norm(x, weight, eps):
    mean = x.mean(-1, keepdim=True)
    var = x.var(-1, keepdim=True, unbiased=False)
    return (x - mean) / (var + eps).sqrt() * weight


# wrong: squares the mean instead of taking the mean of the squares
# named: square_of_mean
def mean_before_square(x, weight, eps):
    return x / (x.mean(-1, keepdim=True) ** 2 + eps).sqrt() * weight


# wrong: the mean of the absolute values
# named: mean_size
def mean_of_sizes(x, weight, eps):
    return x / (x.abs().mean(-1, keepdim=True) + eps) * weight


# wrong: prints and returns nothing
def no_return(x, weight, eps):
    answer = x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt() * weight
    print(answer)


# wrong: F.normalize divides by the length
# named: sum_of_squares
def normalize(x, weight, eps):
    return F.normalize(x, p=2, dim=-1) * weight


# wrong: scales each token to the length sqrt(d), so that eps is only a lower bound
# named: eps_as_least
def normalize_and_scale(x, weight, eps):
    return F.normalize(x, dim=-1, eps=eps) * math.sqrt(x.shape[-1]) * weight


# wrong: divides the sum by d - 1
# named: less_one
def one_less(x, weight, eps):
    ms = x.square().sum(-1, keepdim=True) / (x.shape[-1] - 1)
    return x / (ms + eps).sqrt() * weight


# wrong: one mean for all numbers
# named: over_everything
def one_number(x, weight, eps):
    return x / (x.square().mean() + eps).sqrt() * weight


# wrong: the mean runs over the tokens
# named: over_tokens
def over_the_tokens(x, weight, eps):
    return x / (x.square().mean(-2, keepdim=True) + eps).sqrt() * weight


# wrong: one mean for a whole sentence
# named: over_sentences
def per_sentence(x, weight, eps):
    return x / (x.square().mean((-2, -1), keepdim=True) + eps).sqrt() * weight


# wrong: the root of each square, then the mean: the mean of the absolute values
# named: mean_size
def root_before_mean(x, weight, eps):
    return x / (x.square().sqrt().mean(-1, keepdim=True) + eps) * weight


# wrong: divides by the mean square without a root
# named: no_root
def root_forgotten(x, weight, eps):
    ms = (x * x).mean(-1, keepdim=True)
    return x / (ms + eps) * weight


# wrong: multiplies by the root instead of dividing by it
# named: multiplied
def sqrt_for_rsqrt(x, weight, eps):
    return weight * (x * torch.sqrt(x.pow(2).mean(-1, keepdim=True) + eps))


# right
def squared_by_moments(x, weight, eps):
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return x * weight / torch.sqrt(variance + mean.square() + eps)


# wrong: divides by torch's std, which measures from the mean
# named: by_standard_deviation
def std_of_torch(x, weight, eps):
    return x / (x.std(dim=-1, keepdim=True) + eps) * weight


# wrong: the sum of the squares instead of their mean
# named: sum_of_squares
def sum_for_mean(x, weight, eps):
    squares = torch.sum(x**2, dim=-1, keepdim=True)
    return x / torch.sqrt(squares + eps) * weight


# wrong: calls torch's own
# named: forbidden
def torch_functional(x, weight, eps):
    return F.rms_norm(x, (x.shape[-1],), weight, eps)


# wrong: calls torch's own module
# named: forbidden
def torch_module(x, weight, eps):
    norm = torch.nn.RMSNorm(x.shape[-1], eps)
    norm.weight.data.copy_(weight)
    return norm(x)


# right
def two_loops(x, weight, eps):
    rows = []
    for token in x.reshape(-1, x.shape[-1]):
        total = 0
        for number in token:
            total = total + number * number
        rows.append(token / torch.sqrt(total / len(token) + eps))
    return torch.stack(rows).view(x.shape) * weight


# wrong: the variance instead of the mean square
# named: by_standard_deviation
def variance(x, weight, eps):
    var = torch.var(x, dim=-1, keepdim=True, correction=0)
    return weight * x * torch.rsqrt(var + eps)


# right
def vector_norm(x, weight, eps):
    d = x.size(-1)
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    return x * math.sqrt(d) / torch.sqrt(length**2 + d * eps) * weight


# wrong: x is multiplied by weight before it is measured
# named: weight_first
def weight_before(x, weight, eps):
    x = x * weight
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt()


# wrong: weight is not used
# named: no_weight
def weight_forgotten(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt()
