"""Minutes are computed from what a lesson holds, and no core takes too many."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.notebooks.minutes import (
    LessonLoad,
    Load,
    load_of_lesson,
    loads_of_lessons,
    write_minutes,
)
from tools.notebooks.notebook_files import ROOT
from tools.site.stamp_links import Project

QUIZ = "<details><summary>one half</summary>No. It is\ntwo.</details>\n\n<br>"  # 6 words
PREDICTION = "> **Predict.** Which of [these two](../a/long_name.ipynb)?"  # 5 words


def stream(text):
    return new_output("stream", text=text)


def picture(*kinds):
    return new_output("display_data", data=dict.fromkeys(kinds, "..."))


def value(text):
    return new_output("execute_result", data={"text/plain": text})


def lesson(*cells):
    links = Project.read(ROOT).links_line(ROOT / "notebooks" / "01_soft_lookup.ipynb")
    title = new_markdown_cell(f"# 01 · Title\n\n{links}\n\nAbout 7 minutes.")  # 5 words
    setup = new_code_cell("import sys\nsys.path", metadata={"tags": ["setup"]})
    return new_notebook(cells=[title, setup, *cells])


def test_what_a_lesson_asks_is_counted():
    load = load_of_lesson(
        lesson(
            new_markdown_cell(PREDICTION),
            new_code_cell("# a comment\nx = [\n    1,\n]\n\nprint(x)  # another"),  # 4 lines
            new_code_cell("%%html\n<b>bold</b>", outputs=[picture("text/html")]),  # no Python
            new_code_cell(
                outputs=[stream("1\n2\n"), picture("image/png", "text/plain"), value("3")]
            ),
            new_markdown_cell(QUIZ + "\n\nSay *Predict.* | - | `x`"),  # and 3 words
        )
    )
    assert load == LessonLoad(Load(19, lines=4, predictions=1, output_lines=3, pictures=2))
    assert load.core.exact_minutes == pytest.approx(19 / 60 + 4 / 20 + 1 + 3 / 15 + 2 / 2)
    assert load.time == "3"


DEEPER = (
    new_code_cell("x = 1"),
    new_markdown_cell("Three more words.\n\n## Deeper · Why (9 minutes)\n\nTwo words."),
    new_code_cell("y = 1\nz = 2"),
    new_markdown_cell("### One\n\n" + PREDICTION),
    new_markdown_cell("#### Smaller\n\n### Two (1 minute)\n\n" + PREDICTION * 2),
    new_code_cell("x = 1\n" * 30),
    new_markdown_cell("## Where it comes from\n\n### A paper"),
)


def test_what_is_deeper_is_counted_apart_and_by_piece():
    load = load_of_lesson(lesson(*DEEPER))
    assert load.core == Load(words=5 + 3 + 6, lines=1)
    assert load.pieces == {
        "## Deeper · Why": Load(words=4, lines=2),
        "### One": Load(words=7, predictions=1),
        "### Two": Load(words=11, lines=30, predictions=1),
    }
    assert load.deeper == Load(words=22, lines=32, predictions=2)
    assert load.time == "1 + 4"


def test_a_lesson_says_its_minutes_once():
    notebook = lesson()
    notebook.cells[0].source = "# 01 · Title"
    with pytest.raises(ValueError, match="needs one line that begins with `About 0 minutes`"):
        write_minutes(notebook, load_of_lesson(notebook))


def test_no_core_is_too_long():
    loads = loads_of_lessons(ROOT)
    assert len(loads) >= 12
    long = {number: load.core.minutes for number, load in loads.items()}
    long = {number: minutes for number, minutes in long.items() if minutes > loads[number].most}
    assert not long, f"minutes by lesson: {long}"
