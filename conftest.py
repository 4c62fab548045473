"""Loads the strict notebook rules for every pytest run, whichever files it is given."""

import gc
import os
import sys

import pytest

# Before torch is imported. The tensors of the tests are small: threads would only wait for
# each other. The kernels of the notebooks get theirs from tools/notebooks/notebook_env.py.
os.environ.setdefault("OMP_NUM_THREADS", "1")

pytest_plugins = ["tools.notebooks.nbval_strict"]

# Targets of their own name them: they need a browser, a device for the whole process, Triton,
# bubblewrap; tests/tools is about what only those use who change the course.
collect_ignore = [f"tests/{name}" for name in ("browser", "device", "kernel", "tools")]
collect_ignore += ["grading/tests"]


def pytest_collection_finish():
    """What was imported and collected stays: to look through it again costs a tenth of the run."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Tests draw inputs. Which test ran before, and on which worker, must not change them."""
    if torch := sys.modules.get("torch"):
        # What torch.manual_seed does on a CPU; that notes the whole stack besides, three times.
        torch.default_generator.manual_seed(0)
        if torch.cuda.is_initialized():
            torch.cuda.manual_seed_all(0)
