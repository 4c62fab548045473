"""The device of these tests: a GPU where there is one, else the pretend device."""

import pytest
import torch

import pretend_device

needs_pretend = pytest.mark.skipif(bool(pretend_device.MISSING), reason=pretend_device.MISSING)
DEVICES = ["cuda"] if torch.cuda.is_available() else [pytest.param("pretend", marks=needs_pretend)]


@pytest.fixture(params=DEVICES)
def device(request):
    """Without its number, as ``best_device()`` gives it; the tensors on it have one."""
    return torch.device(request.param)
