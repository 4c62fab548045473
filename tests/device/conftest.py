"""The device of these tests: a GPU where one is visible, else the pretend device.

torch has one accelerator at a time: beside the pretend device nothing can be differentiated on a
GPU. So where a GPU is visible, the pretend device and what rests on it are left out.
``make test-device`` hides the GPU, ``make test-device DEVICE=cuda`` shows it.
"""

import pytest
import torch

ON_A_GPU = torch.cuda.is_available()
collect_ignore = ["test_pretend_device.py", "test_rehearsal.py"] if ON_A_GPU else []

if ON_A_GPU:
    DEVICES = ["cuda"]
else:
    from course_checks.judge import answers
    from tools.notebooks import pretend_device

    answers.PLAIN.add(pretend_device.PretendTensor)
    needs_pretend = pytest.mark.skipif(bool(pretend_device.MISSING), reason=pretend_device.MISSING)
    DEVICES = [pytest.param("pretend", marks=needs_pretend)]


def pytest_report_header():
    if ON_A_GPU:
        return f"device: {torch.cuda.get_device_name()}; left out: {', '.join(collect_ignore)}"
    return "device: the pretend device"


@pytest.fixture(params=DEVICES)
def device(request):
    """Without its number, as ``best_device()`` gives it; the tensors on it have one."""
    return torch.device(request.param)
