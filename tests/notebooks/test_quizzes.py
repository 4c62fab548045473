"""The right answers of the quizzes: one for each question, in no favourite place or length."""

import re
from collections import Counter

import pytest

from tools.notebooks.notebook_files import ROOT, find_notebooks, read_notebook

CHOICES = re.compile(r"(?:^<details>.*$\n?){2,}", re.MULTILINE)
RIGHT = "</summary>Right"
LESSONS = [path for path in find_notebooks(ROOT, ("notebooks",)) if path.stem[:2] != "00"]


def questions(path):
    """The choices of each question after the heading "Quiz", a line each."""
    cells = [cell for cell in read_notebook(path).cells if cell.cell_type == "markdown"]
    (quiz,) = (
        i for i, cell in enumerate(cells) if re.search("^## Quiz", cell.source, re.MULTILINE)
    )
    for cell in cells[quiz:]:
        for choices in CHOICES.findall(cell.source.partition("\n## Deeper")[0]):
            yield choices.splitlines()


def right_places(path):
    """For each question, where its right answers stand, from 1."""
    for choices in questions(path):
        yield [i for i, line in enumerate(choices, start=1) if RIGHT in line]


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


def test_over_the_course_the_right_answer_is_the_longest_in_less_than_half_of_the_questions():
    longest = [
        RIGHT in max(choices, key=lambda line: len(line.partition("</summary>")[0]))
        for path in LESSONS
        for choices in questions(path)
    ]
    assert sum(longest) < len(longest) / 2, f"{sum(longest)} of {len(longest)}"
