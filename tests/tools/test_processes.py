"""The test files that pytest-xdist may not part (tools/notebooks/nbval_strict.py) are there."""

import pytest

from tools.notebooks.nbval_strict import ONE_MODEL, ONE_RUN, ONE_RUN_EACH
from tools.notebooks.notebook_files import ROOT


@pytest.mark.parametrize("path", [*ONE_RUN, *ONE_MODEL, ONE_RUN_EACH])
def test_the_files_are_there(path):
    assert (ROOT / path).is_file()
