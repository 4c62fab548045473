"""The steps of a rolling window, put together: attention with a sliding window as its mask."""

import pytest
import torch

import course_checks as checks
from course_lib import scaled_dot_product_attention

rolling_step = checks.rolling_step.exercise.reference
LENGTH = 9


def texts(length=LENGTH, requires_grad=False):
    generator = torch.Generator().manual_seed(length)
    size = (3, 2, 3, length, 4)  # query, key, value of (batch, heads, length, head_dim)
    drawn = torch.randn(size, generator=generator, dtype=torch.float64)
    return [tensor.clone().requires_grad_(requires_grad) for tensor in drawn]


def rolled(query, key, value, window, prompt=0):
    """All outputs behind the prompt, and how many tokens each step kept."""
    keys, values = key[:, :, :prompt], value[:, :, :prompt]
    outputs, kept = [], []
    for t in range(prompt, query.shape[2]):
        step = (tensor[:, :, t : t + 1] for tensor in (query, key, value))
        output, keys, values = rolling_step(*step, keys, values, window)
        outputs.append(output)
        kept.append((keys.shape[2], values.shape[2]))
    return torch.cat(outputs, dim=2), kept, keys, values


def at_once(query, key, value, window):
    back = torch.arange(LENGTH)[:, None] - torch.arange(LENGTH)
    mask = (back >= 0) & (back < window)  # True = may attend
    return scaled_dot_product_attention(query, key, value, mask=mask)[0]


@pytest.mark.parametrize("prompt", [0, 1, 5])
@pytest.mark.parametrize("window", [1, 2, 4, LENGTH, LENGTH + 3])
def test_steps_equal_a_sliding_window_as_a_mask(window, prompt):
    query, key, value = texts()
    outputs, kept, keys, values = rolled(query, key, value, window, prompt)
    expected = at_once(query, key, value, window)[:, :, prompt:]
    torch.testing.assert_close(outputs, expected, atol=1e-13, rtol=0)
    assert kept == [(min(t + 1, window),) * 2 for t in range(prompt, LENGTH)]
    assert torch.equal(keys, key[:, :, -window:]) and torch.equal(values, value[:, :, -window:])


@pytest.mark.parametrize("window", [1, 3, LENGTH])
def test_gradients_reach_what_the_window_shows(window):
    stepwise, whole = texts(requires_grad=True), texts(requires_grad=True)
    rolled(*stepwise, window)[0].square().sum().backward()
    at_once(*whole, window).square().sum().backward()
    for stepped, masked in zip(stepwise, whole, strict=True):
        torch.testing.assert_close(stepped.grad, masked.grad, atol=1e-12, rtol=0)


def test_over_the_first_is_right_once_and_wrong_a_step_later():
    """As its sentence says: attention does not ask for the order, and the next step does."""
    mistakes = {mistake.name: mistake.function for mistake in checks.rolling_step.exercise.mistakes}
    query, key, value = texts()
    window, caches, outputs = 3, {}, {}
    for name, step in (("right", rolling_step), ("ring", mistakes["over_the_first"])):
        keys, values = key[:, :, :window], value[:, :, :window]
        outputs[name] = []
        for t in (window, window + 1):
            new = (tensor[:, :, t : t + 1] for tensor in (query, key, value))
            output, keys, values = step(*new, keys, values, window)
            outputs[name].append(output)
        caches[name] = keys
    first, second = (pair for pair in zip(outputs["right"], outputs["ring"], strict=True))
    torch.testing.assert_close(*first)
    assert not torch.allclose(*second, atol=0.01)
    newest_but_one = key[:, :, window : window + 1]
    assert (caches["right"] == newest_but_one).all(-1).any(-1).all()
    assert not (caches["ring"] == newest_but_one).all(-1).any()
