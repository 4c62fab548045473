"""Loads the strict notebook rules for every pytest run, whichever files it is given.

`--every 10` runs one in ten of the tests of exercises that stand in the record of deep runs.
"""

import os

# Before torch is imported. The tensors of the tests are small: threads would only wait for
# each other. The kernels of the notebooks get theirs from tools/notebook_env.py.
os.environ.setdefault("OMP_NUM_THREADS", "1")

pytest_plugins = ["nbval_strict"]

# Targets of their own name them: they need a browser, a device for the whole process, bubblewrap.
collect_ignore = ["tests/browser", "tests/device", "tests/grading"]


def pytest_addoption(parser):
    text = "run each Nth of the tests that a deep run of its exercise has passed (default: all)"
    parser.addoption("--every", type=int, default=1, metavar="N", help=text)


def pytest_collection_modifyitems(config, items):
    every = config.getoption("--every")
    if every == 1:
        return
    from deep_checks import DEEP_TESTS

    passed = [
        item
        for item in items
        if item.path.parent.name == "exercises" and item.path.stem in DEEP_TESTS
    ]
    left_out = [item for at, item in enumerate(passed) if at % every]
    config.hook.pytest_deselected(items=left_out)
    gone = set(left_out)
    items[:] = [item for item in items if item not in gone]
