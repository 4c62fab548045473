"""SmolLM2, which several files ask: tools/notebooks/nbval_strict.py gives them to one process."""

import pytest

from course_lib.data.real_model import load_smollm2


@pytest.fixture(scope="session")
def smollm2():
    return load_smollm2()
