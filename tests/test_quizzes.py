"""The right answers of the quizzes: one for each question, and in no favourite place."""

import re
from collections import Counter

import pytest

from notebook_files import ROOT, find_notebooks, read_notebook

CHOICES = re.compile(r"(?:^<details>.*$\n?){2,}", re.MULTILINE)
RIGHT = "</summary>Right"
LESSONS = [path for path in find_notebooks(ROOT, ("notebooks",)) if path.stem[:2] != "00"]


def right_places(path):
    """For each question after the heading "Quiz", where its right answers stand, from 1."""
    cells = [cell for cell in read_notebook(path).cells if cell.cell_type == "markdown"]
    (quiz,) = (
        i for i, cell in enumerate(cells) if re.search("^## Quiz", cell.source, re.MULTILINE)
    )
    for cell in cells[quiz:]:
        for choices in CHOICES.findall(cell.source.partition("\n## Deeper")[0]):
            yield [i for i, line in enumerate(choices.splitlines(), start=1) if RIGHT in line]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_question_has_one_right_answer_and_no_place_has_more_than_half(path):
    places = list(right_places(path))
    assert len(places) >= 5
    assert all(len(one) == 1 for one in places), places
    (_, most), *_ = Counter(one for (one,) in places).most_common()
    assert most <= len(places) / 2, places


def test_over_the_course_the_right_answer_stands_in_each_place_about_equally_often():
    counts = Counter(one for path in LESSONS for (one,) in right_places(path))
    assert set(counts) == {1, 2, 3}
    assert max(counts.values()) < 0.42 * counts.total(), counts
