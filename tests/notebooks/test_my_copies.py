"""`make lab` opens copies without outputs, and what a student wrote in one is never lost."""

import re
import shutil
import subprocess
import sys

import pytest
from nbformat.v4 import new_output

from tools.notebooks.notebook_files import (
    LINKS_LINE,
    ROOT,
    find_notebooks,
    read_notebook,
    write_notebook,
)
from tools.release.my_copies import COPIED_FOLDERS, FOLDER, PAGES, give_copies
from tools.site.stamp_links import Project, setup_cells

LESSON = "notebooks/99_example.ipynb"
EXERCISE = "exercises/99_example/99_example.ipynb"
MADE_FROM = {name: name.replace("99_example", "01_soft_lookup") for name in (LESSON, EXERCISE)}


@pytest.fixture
def course(tmp_path):
    """A course of one lesson and its exercise; its copies have been given."""
    for name, source in MADE_FROM.items():
        (tmp_path / name).parent.mkdir(parents=True)
        shutil.copy(ROOT / source, tmp_path / name)
    assert give_copies(tmp_path) == []
    return tmp_path


def run_first_cell(path):
    """Change a notebook as Run does, and return what is in the file then."""
    notebook = read_notebook(path)
    cell = next(cell for cell in notebook.cells if cell.cell_type == "code")
    cell.outputs, cell.execution_count = [new_output("stream", text="mine")], 1
    write_notebook(path, notebook)
    return path.read_bytes()


def change_lesson(course, word, mine=None):
    """Change the source as a pull does, and return the files in my/notebooks after `make lab`."""
    notebook = read_notebook(course / LESSON)
    notebook.cells[2].source += f" {word}"
    write_notebook(course / LESSON, notebook)
    messages, copies = give_copies(course, mine), (mine or course / FOLDER) / "notebooks"
    return messages, sorted(path.name for path in copies.iterdir())


def words(path):
    return read_notebook(path).cells[2].source.split()


@pytest.fixture(scope="module")
def all_copies(tmp_path_factory):
    root = tmp_path_factory.mktemp("course")
    for folder in COPIED_FOLDERS:
        shutil.copytree(ROOT / folder, root / folder)
    for name in PAGES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    give_copies(root)
    return root / FOLDER


def test_copies_are_the_lessons_without_outputs(all_copies):
    sources = find_notebooks(ROOT, COPIED_FOLDERS)
    assert len(sources) > 20
    copied = [path.relative_to(all_copies) for path in find_notebooks(all_copies, COPIED_FOLDERS)]
    assert copied == [path.relative_to(ROOT) for path in sources]
    for path in sources:
        want, copy = read_notebook(path), read_notebook(all_copies / path.relative_to(ROOT))
        for cell in want.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        assert copy.cells == want.cells, path


def test_links_between_copies_lead_to_copies(all_copies):
    links = [
        (path, target)
        for path in find_notebooks(all_copies, COPIED_FOLDERS)
        for cell in read_notebook(path).cells
        if cell.cell_type == "markdown"
        for target in re.findall(r"\]\((?!https?:|#)([^)\s]+)\)", cell.source)
    ]
    assert {path.parent.parent.name for path, _ in links} == {FOLDER, "exercises"}
    for path, target in links:
        place = (path.parent / target.partition("#")[0]).resolve()
        assert place.is_file() and place.is_relative_to(all_copies.resolve()), (path, target)


def test_a_changed_lesson_comes_beside_what_was_run_and_is_told_once(course):
    mine = course / FOLDER / LESSON
    before = run_first_cell(mine)
    (message,), names = change_lesson(course, "second")
    assert names == ["99_example.ipynb", "99_example_2.ipynb"]
    assert "my/notebooks/99_example.ipynb stays as you left it" in message
    assert message.endswith("my/notebooks/99_example_2.ipynb")
    assert mine.read_bytes() == before
    assert words(mine.with_stem("99_example_2"))[-1] == "second"
    assert give_copies(course) == []

    second = run_first_cell(mine.with_stem("99_example_2"))
    _, names = change_lesson(course, "third")
    assert names[-1] == "99_example_3.ipynb" and len(names) == 3
    assert mine.read_bytes() == before
    assert mine.with_stem("99_example_2").read_bytes() == second


def test_a_copy_that_nobody_changed_is_replaced(course):
    mine = course / FOLDER / LESSON
    assert change_lesson(course, "second") == ([], [mine.name])
    assert words(mine)[-1] == "second"
    run_first_cell(mine)
    change_lesson(course, "third")
    _, names = change_lesson(course, "fourth")  # of two copies, the newer was not touched
    assert names == ["99_example.ipynb", "99_example_2.ipynb"]
    assert words(mine)[-1] == "second"
    assert words(mine.with_stem("99_example_2"))[-1] == "fourth"


def test_a_release_without_a_change_of_the_lesson_brings_no_file(course):
    mine = course / FOLDER / LESSON
    before = run_first_cell(mine)
    notebook = read_notebook(course / LESSON)
    released = Project(course, "https://github.com/ada/course", "v99.0.0")
    notebook.cells[0].source = LINKS_LINE.sub(
        lambda match: released.links_line(course / LESSON), notebook.cells[0].source
    )
    setup_cells(notebook)[0].source = released.setup_cell()
    write_notebook(course / LESSON, notebook)
    assert give_copies(course) == []
    assert mine.read_bytes() == before
    assert len(list(mine.parent.iterdir())) == 1


NO_COPIES = ["", "no notebook", "[]", '{"metadata": {"attention_course": 1}}', '{"cells": []}']


@pytest.mark.parametrize("text", [*NO_COPIES, None])
def test_a_file_or_a_folder_that_is_no_copy_is_left_alone(course, text):
    mine = course / FOLDER / LESSON
    mine.unlink()
    mine.mkdir() if text is None else mine.write_text(text)
    (message,) = give_copies(course)
    assert mine.is_dir() if text is None else mine.read_text() == text
    assert message.endswith("my/notebooks/99_example_2.ipynb")
    assert give_copies(course) == []


def test_copies_go_into_a_folder_of_the_students(course, tmp_path_factory):
    mine = tmp_path_factory.mktemp("home") / "attention"
    assert give_copies(course, mine) == []
    assert (mine / LESSON).read_bytes() == (course / FOLDER / LESSON).read_bytes()
    run_first_cell(mine / LESSON)
    (message,), _ = change_lesson(course, "changed", mine)
    assert message.endswith("attention/notebooks/99_example_2.ipynb")


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "mine").write_text("a file where the folder should be")
    command = [sys.executable, "-m", "tools.release.my_copies", tmp_path / "mine"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("Your copies could not be written: ")
    assert line.endswith("make lab MY=folder")


def test_git_sees_nothing_of_the_copies(course):
    shutil.copy(ROOT / ".gitignore", course)
    subprocess.run(["git", "init", "--quiet"], cwd=course, check=True)
    status = ["git", "-c", "core.excludesFile=", "status", "--short"]
    seen = subprocess.run(status, cwd=course, check=True, capture_output=True, text=True).stdout
    assert seen.splitlines() == ["?? .gitignore", "?? exercises/", "?? notebooks/"]
