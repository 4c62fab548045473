"""Answers to leaks (lesson 05, exercise 2), right and wrong, as students write them."""

import functools

import numpy as np
import torch


# right
def all_later(layer, x):
    for i in range(len(x) - 1):
        changed = torch.cat([x[: i + 1], x[i + 1 :] + torch.randn(len(x) - i - 1, x.shape[1])])
        if not (layer(changed)[: i + 1] - layer(x)[: i + 1]).abs().max() <= 1e-4:
            return True
    return False


# right
def jacobian(layer, x):
    slopes = torch.autograd.functional.jacobian(layer, x)  # (T, d, T, d)
    by_token = slopes.abs().amax(dim=(1, 3))  # row: output, column: token
    return not bool((by_token.triu(1) <= 1e-6).all())


# right
def numpy(layer, x):
    before = layer(x).numpy()
    for j in reversed(range(len(x))):
        changed = x.clone()
        changed[j] = 3 * torch.rand(x.size(1)) - 1
        if not np.allclose(layer(changed).numpy()[:j], before[:j], rtol=0, atol=1e-6):
            return np.True_
    return np.False_


# wrong: the loop ends before the last token
# named: last_token_spared
# points: 5
def last_token_left_out(layer, x):
    y = layer(x)
    for j in range(1, len(x) - 1):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False


# wrong: changes x itself, and with it what it is compared with
# named: changes_input
def no_clone(layer, x):
    for j in range(1, len(x)):
        y = layer(x)
        z = x
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False


# wrong: asks the derivative, which is 0 for a leak in steps
# named: nan_passes
# points: 5
def slope_at_x(layer, x):
    slopes = torch.autograd.functional.jacobian(layer, x)
    return any(bool(slopes[i, :, i + 1 :].abs().max() > 1e-5) for i in range(len(x) - 1))


# wrong: writes into the given x
# named: not_cloned
# says: changes its input x in place
def changes_the_given_x(layer, x):
    before = layer(x)
    for j in range(1, len(x)):
        x[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(x)[:j], before[:j], atol=1e-5):
            return True
    return False


# wrong: says True where two outputs agree
# named: missing_not
def without_not(layer, x):
    before = layer(x)
    for j in range(1, len(x)):
        changed = x.clone()
        changed[j] = torch.randn(x.shape[1])
        if torch.allclose(layer(changed)[:j], before[:j], atol=1e-5):
            return True
    return False


# wrong: cuts the text off in place of changing it
# named: cut_off
def cuts_off(layer, x):
    y = layer(x)
    return not all(torch.allclose(layer(x[:k]), y[:k], atol=1e-5) for k in range(1, len(x)))


# other inputs
def layers_in_time():
    """Causal ones and others, for the student's test; others than the check's."""
    yield from (torch.sin, lambda x: x.cummax(dim=0).values, lambda x: x - x.roll(2, 0) / 3)
    yield from (lambda x: x.flip(0).cumsum(dim=0), lambda x: x.roll(-1, 0), lambda x: x - x[-1:])
    yield lambda x: torch.cat([x[:1] + x[1:2], x[1:]])
    yield lambda x: torch.cat([x[:3], x[3:4] * x[4:5].mean(), x[4:]])
    yield lambda x: torch.cat([x[:-2], x[-2:-1] - x[-1:], x[-1:]])


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    yield from ((layer, randn(7, 3)) for layer in layers_in_time())
