"""Which tests pytest-xdist may not part: see the end of tools/notebooks/nbval_strict.py."""

import pytest

from tools.notebooks.nbval_strict import ONE_RUN, ONE_RUN_EACH, stays_together
from tools.notebooks.notebook_files import ROOT

LESSON = "notebooks/01_soft_lookup.ipynb"
HOSTILE = "grading/tests/test_hostile.py"
MARKS = "tests/exercises/test_marks.py"
TOGETHER = [
    (f"{LESSON}::Cell 0", f"{LESSON}::Cell 7"),
    (f"{HOSTILE}::test_host_is_untouched", f"{HOSTILE}::test_everybody_has_a_page"),
    (f"{ONE_RUN_EACH}::test_a[02_single_head]", f"{ONE_RUN_EACH}::test_b[02_single_head]"),
    (f"{MARKS}::test_a[rotary-both_plus]", f"{MARKS}::test_b[rotary]"),
]
APART = [
    (f"{LESSON}::Cell 0", "notebooks/02_single_head.ipynb::Cell 0"),
    (f"{HOSTILE}::test_host_is_untouched", "grading/tests/test_mangled.py::test_points_survive"),
    (f"{ONE_RUN_EACH}::test_a[01_soft_lookup]", f"{ONE_RUN_EACH}::test_a[02_single_head]"),
    (f"{MARKS}::test_a[rotary-both_plus]", f"{MARKS}::test_a[alibi_scores-linear]"),
    ("tests/attention/test_cache.py::test_a", "tests/attention/test_cache.py::test_b"),
]


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_what_rests_on_one_run_stays_together(one, other):
    assert stays_together(one) == stays_together(other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_the_rest_goes_to_whichever_process_is_free(one, other):
    assert stays_together(one) != stays_together(other)


@pytest.mark.parametrize("path", [*ONE_RUN, ONE_RUN_EACH])
def test_the_files_are_there(path):
    assert (ROOT / path).is_file()
