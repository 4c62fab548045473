"""The steps of a rolling window, put together: attention with a sliding window as its mask."""

import pytest
import torch

import course_checks as checks
from course_lib import scaled_dot_product_attention

rolling_step = checks.rolling_step.exercise.reference
LENGTH = 9


def texts():
    generator = torch.Generator().manual_seed(LENGTH)
    size = (3, 2, 3, LENGTH, 4)  # query, key, value of (batch, heads, length, head_dim)
    return torch.randn(size, generator=generator, dtype=torch.float64)


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
