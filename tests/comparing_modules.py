"""Comparing modules in float64: close numbers, and parameters that are not their defaults."""

import torch


def close(actual, expected, atol=1e-12):
    torch.testing.assert_close(actual, expected, atol=atol, rtol=atol)


def randomize_biases_and_norms(module):
    """Give biases and norms values that are not their defaults, so that a swap is seen."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter) * 0.3)
    return module
