"""Answers to is_equivariant (lesson 02, exercise 3), right and wrong, as students write them."""

import functools

import numpy as np
import torch


def agrees(layer, x, order, **tolerance):
    return torch.allclose(layer(x[order]), layer(x)[order], **tolerance)


# right
def inverse(layer, x):
    order = torch.randperm(x.size(0))
    return (layer(x[order])[order.argsort()] - layer(x)).abs().max().item() < 1e-4


# right
def by_swaps(layer, x):
    out = layer(x)
    for i in range(len(x) - 1):  # swaps of neighbours generate every order
        order = list(range(len(x)))
        order[i], order[i + 1] = order[i + 1], order[i]
        if not np.allclose(layer(x[order]).numpy(), out[order].numpy(), atol=1e-5):
            return False
    return True


# wrong: shuffles the first three tokens and leaves the rest where they are
# named: some_stay
def first_half_shuffled(layer, x):
    y = layer(x)
    for _ in range(10):
        p = torch.cat([torch.randperm(3), torch.arange(3, len(x))])
        if not torch.allclose(layer(x[p]), y[p], atol=1e-5):
            return False
    return True


# wrong: a relative tolerance of 10 percent
# named: too_loose
def relative_tolerance_of_ten_percent(layer, x):
    y = layer(x)
    orders = [torch.randperm(len(x)) for _ in range(10)]
    return all(torch.allclose(layer(x[p]), y[p], rtol=0.1, atol=1e-5) for p in orders)


# wrong: tries the order reversed and one rotation, which an average in a circle survives
# named: reversal_and_shift
def reversal_and_one_rotation(layer, x):
    y = layer(x)
    reverse = torch.allclose(layer(x.flip(0)), y.flip(0), atol=1e-5)
    rotate = torch.allclose(layer(x.roll(1, 0)), y.roll(1, 0), atol=1e-5)
    return reverse and rotate


# wrong: tries the order reversed and no other
# named: reversal_only
def reversal_only(layer, x):
    return torch.allclose(layer(x.flip(0)), layer(x).flip(0), atol=1e-5)


# wrong: tries only rotations
# named: shift_only
def rotations_only(layer, x):
    y = layer(x)
    return all(
        torch.allclose(layer(x.roll(s, 0)), y.roll(s, 0), atol=1e-5) for s in range(1, len(x))
    )


# wrong: tries only the swap of the first two tokens
# named: two_exchanged
# points: 4
def swap_first_two(layer, x):
    p = torch.arange(x.shape[0])
    p[0], p[1] = 1, 0
    return torch.allclose(layer(x[p]), layer(x)[p], atol=1e-5)


# wrong: shuffles the caller's x in place
# named: changes_input
def x_shuffled_in_place(layer, x):
    y = layer(x)
    p = torch.randperm(len(x))
    x[:] = x[p]
    return torch.allclose(layer(x), y[p], atol=1e-5)


# wrong: compares with the default tolerance
# named: default_tolerance
def allclose_as_it_comes(f, x):
    return agrees(f, x, torch.randperm(len(x)))


# wrong: shuffles as if there were always eight tokens
# named: fixed_length
def shuffles_eight(f, x):
    return agrees(f, x, torch.randperm(8), atol=1e-05)


# wrong: shuffles as if there were always sixteen tokens
# says: index 1
def shuffles_sixteen(f, x):
    return agrees(f, x, torch.randperm(16))


# wrong: one order that agrees is enough
# named: any_order
# points: 4
def some_order_agrees(layer, x):
    y = layer(x)
    for _ in range(8):
        order = torch.randperm(len(x))
        if torch.allclose(layer(x[order]), y[order], atol=1e-5):
            return True
    return False


# wrong: tries an input of its own with a width of its own
# says: 8x4 is no shape that we passed
def own_input(layer, x):
    return agrees(layer, torch.randn(8, 4), torch.randperm(8), atol=1e-5)


# wrong: says True where its own input does not fit
# points: 2
# says: it should say False
def own_input(layer, x):
    return agrees(layer, torch.randn(8, 4), torch.randperm(8), atol=1e-5)


def own_input_forgiven(layer, x):
    try:
        return own_input(layer, x)
    except Exception:
        return True


# wrong: hands the layer a NumPy array
# says: takes a torch.Tensor
def with_numpy(layer, x):
    return bool(layer(x.numpy()).any())


# other inputs
def layers():
    """Equivariant ones and others, for the student's test; others than the check's."""
    yield from (torch.tanh, torch.relu, lambda x: x - x.mean(dim=0), lambda x: x * x.amax(dim=0))
    yield from (lambda x: x.flip(0), lambda x: x.roll(2, 0), lambda x: x.cumprod(dim=0))
    yield lambda x: x * torch.arange(1.0, len(x) + 1).unsqueeze(-1)
    yield lambda x: x + x[:1]
    yield lambda x: torch.softmax(x, dim=0).cummax(dim=0).values


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    yield from ((layer, randn(9, 3)) for layer in layers())
