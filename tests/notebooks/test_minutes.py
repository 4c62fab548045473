"""A lesson says its minutes, and no core takes too many (test_links.py compares them all)."""

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from tools.notebooks.minutes import load_of_lesson, loads_of_lessons, write_minutes
from tools.notebooks.notebook_files import ROOT


def test_a_lesson_says_its_minutes_once():
    notebook = new_notebook(cells=[new_markdown_cell("# 01 · Title")])
    with pytest.raises(ValueError, match="needs one line that begins with `About 0 minutes`"):
        write_minutes(notebook, load_of_lesson(notebook))


def test_no_core_is_too_long():
    loads = loads_of_lessons(ROOT)
    assert len(loads) >= 12
    long = {number: load.core.minutes for number, load in loads.items()}
    long = {number: minutes for number, minutes in long.items() if minutes > loads[number].most}
    assert not long, f"minutes by lesson: {long}"
