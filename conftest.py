"""Loads the strict notebook rules for every pytest run, whichever files it is given."""

import os

# Before torch is imported. The tensors of the tests are small: threads would only wait for
# each other. The kernels of the notebooks get theirs from tools/notebook_env.py.
os.environ.setdefault("OMP_NUM_THREADS", "1")

pytest_plugins = ["nbval_strict"]

# `make test-browser` and `make test-grading` name them: they need a browser, and bubblewrap.
collect_ignore = ["tests/browser", "tests/device", "tests/grading"]
