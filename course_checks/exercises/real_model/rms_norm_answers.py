"""Answers to rms_norm (lesson 16, exercise 1), right and wrong, as students write them."""

import functools

import numpy as np
import torch
import torch.nn.functional as F


# right
def rsqrt(x, weight, eps):
    return weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps))


# right
def by_length(x, weight, eps):
    """The length of a token, and the number of its features."""
    square = torch.linalg.vector_norm(x, dim=-1, keepdim=True) ** 2 / x.shape[-1]
    return x.div(torch.sqrt(square + eps)).mul(weight)


# right
def token_by_token(x, weight, eps):
    tokens = x.reshape(-1, x.size(-1))
    rows = [token / (token @ token / len(token) + eps) ** 0.5 * weight for token in tokens]
    return torch.stack(rows).reshape(x.shape)


# wrong: through NumPy, so that nothing can be learned
# named: cut_off
# points: 6
def by_numpy(x, weight, eps):
    a = x.detach().numpy()
    a = a / np.sqrt((a**2).mean(-1, keepdims=True) + eps)
    return torch.from_numpy(a.astype(a.dtype)).to(x.dtype) * weight.detach()


# wrong: multiplies by 1 + weight
# named: one_plus_weight
def gemma(x, weight, eps):
    normed = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return normed + normed * weight


# wrong: divides x in place
# named: changes_input
# points: 5
def in_place(x, weight, eps):
    rms = (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    x /= rms
    return x * weight


# wrong: calls torch's layer_norm
# named: layer_norm
def layer_norm_called(x, weight, eps):
    return F.layer_norm(x, x.shape[-1:], weight, None, eps)


# wrong: calls torch's own
# named: forbidden
def torch_functional(x, weight, eps):
    return F.rms_norm(x, (x.shape[-1],), weight, eps)


# wrong: computes and returns float32
# named: dtype
# points: 6
def always_float32(x, weight, eps):
    x = x.float()
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight.float()


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, spread, eps in (((2, 6), 1, 1e-5), ((2, 2, 3), 0.01, 1e-4), ((3, 3), 2, 0.3)):
        yield spread * (randn(*shape) + 1), randn(shape[-1]), eps
    yield torch.zeros(2, 4), randn(4), 1e-3
    yield 0.2 * randn(3, 5), randn(5), 0.6
