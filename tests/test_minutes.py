"""Minutes are computed from what a lesson holds; one that was cut to its minutes keeps to them."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from minutes import Load, load_of_lesson
from notebook_files import ROOT, find_notebooks, read_notebook
from stamp_links import Project
from syllabus import LESSONS

# Lessons whose core was cut to their stated minutes. The others are to follow.
HELD = ("16",)

QUIZ = "<details><summary>one half</summary>No. It is\ntwo.</details>\n\n<br>"  # 6 words
PREDICTION = "> **Predict.** Which of [these two](../a/long_name.ipynb)?"  # 5 words


def lesson(*cells):
    links = Project.read(ROOT).links_line(ROOT / "notebooks" / "01_soft_lookup.ipynb")
    title = new_markdown_cell(f"# 01 · Title\n\n{links}\n\nSome text.")  # 4 words
    setup = new_code_cell("import sys\nsys.path", metadata={"tags": ["setup"]})
    return new_notebook(cells=[title, setup, *cells])


def test_what_a_lesson_asks_is_counted():
    core, deeper = load_of_lesson(
        lesson(
            new_markdown_cell(PREDICTION),
            new_code_cell("# a comment\nx = [\n    1,\n]\n\nprint(x)  # another"),  # 4 lines
            new_code_cell("%%html\n<b>bold</b>"),  # no Python
            new_markdown_cell(QUIZ + "\n\nSay *Predict.* | - | `x`"),  # and 3 words
        )
    )
    assert (core, deeper) == (Load(words=18, lines=4, predictions=1), Load())
    assert core.minutes == pytest.approx(18 / 110 + 4 / 10 + 1.5)


def test_what_is_deeper_is_counted_apart():
    core, deeper = load_of_lesson(
        lesson(
            new_code_cell("x = 1"),
            new_markdown_cell("Three more words.\n\n## Deeper · Why\n\nTwo words."),
            new_code_cell("y = 1\nz = 2"),
            new_markdown_cell("### Deeper\n\n" + PREDICTION),
            new_markdown_cell("## Deeper · Again"),
        )
    )
    assert core == Load(words=7, lines=1)
    assert deeper == Load(words=12, lines=2, predictions=1)


def test_words_beside_a_less_than_sign_are_no_markup():
    core, _ = load_of_lesson(lesson(new_markdown_cell("if a < b and c > d <!-- not seen -->")))
    assert core.words == 4 + 6


@pytest.mark.parametrize("number", HELD)
def test_core_takes_no_longer_than_the_lesson_says(number):
    (path,) = (path for path in find_notebooks(ROOT, ("notebooks",)) if path.stem[:2] == number)
    core, _ = load_of_lesson(read_notebook(path))
    assert core.minutes <= LESSONS[number].minutes, core
