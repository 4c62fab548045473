"""A student opens a notebook in JupyterLab and chooses Run All Cells: nothing may go wrong."""

import re
import shlex
import shutil
import subprocess
from collections import Counter

import pytest

from tools.notebooks import notebook_files
from tools.notebooks.stored_figures import kinds_of_pictures
from tools.release.my_copies import COPIED_FOLDERS, FOLDER, give_copies
from tools.site import lab_in_browser
from tools.site.lab_in_browser import code_cells

LESSONS = notebook_files.find_notebooks(notebook_files.ROOT, ("notebooks",))
FIRST_LESSON = "00_start_here.ipynb"  # which `make lab` opens
# nbval runs all notebooks, the site shows their outputs, and test_widgets_in_jupyterlab.py opens
# each widget. The first lesson and one set of exercises stand for what JupyterLab does with a
# notebook.
NOTEBOOKS = [f"notebooks/{FIRST_LESSON}", "exercises/01_soft_lookup/01_soft_lookup.ipynb"]


def picture_formats(notebook):
    """For each code cell, how many pictures of each kind it has."""
    return [
        Counter(kind for output in cell.outputs for kind in kinds_of_pictures(output))
        for cell in code_cells(notebook)
    ]


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_run_all_cells(browser, lab, path):
    stored = notebook_files.read_notebook(notebook_files.ROOT / path)
    expected = picture_formats(stored)
    notebook_files.write_notebook(lab.folder / path, notebook_files.without_outputs(stored))
    with lab_in_browser.watched_page(browser, lab, width=1280, height=900) as watched:
        page = watched.page
        page.goto(lab.address(f"/tree/{path}"))
        lab_in_browser.wait_for_notebook(page, path.split("/")[-1])
        lab_in_browser.run_all_cells(page)
        saved = lab_in_browser.save_and_read(page, lab.folder / path)
        rendered = lab_in_browser.look_at_every_cell(page)
        executed = code_cells(saved)
        problems = [
            output.get("evalue", output.get("text"))
            for cell in executed
            for output in cell.outputs
            if output.output_type == "error" or output.get("name") == "stderr"
        ]
        lab_in_browser.stop_kernels(page, lab)

    assert problems == []
    assert executed, "the notebook has no code to run"
    counts = [cell.execution_count for cell in executed]
    assert counts == list(range(1, len(executed) + 1))

    in_file = picture_formats(saved)
    if path.startswith("notebooks/"):  # exercises are stored without outputs
        assert in_file == expected
    if path.endswith(FIRST_LESSON):
        assert sum(in_file, Counter())["course-figure"] > 0
    assert rendered.pictures == sum(count.total() for count in in_file)
    assert (rendered.broken_pictures, rendered.problems, watched.complaints) == (0, [], [])


def arguments_of_make_lab():
    """What `make lab` gives to `jupyter lab`."""
    recipe = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "lab"],
        cwd=notebook_files.ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    [command] = re.findall(r"^\S*jupyter lab (.*)$", recipe, re.MULTILINE)
    return shlex.split(command)


def test_make_lab_opens_lesson_00_and_a_double_click_the_last_one(browser, tmp_path):
    for folder in COPIED_FOLDERS:
        shutil.copytree(notebook_files.ROOT / folder, tmp_path / folder)
    assert give_copies(tmp_path) == []
    arguments = arguments_of_make_lab()
    assert any(lab_in_browser.LAB_SETTINGS.as_posix() in argument for argument in arguments)
    with (
        lab_in_browser.running_lab(tmp_path, tmp_path / "lab-files", *arguments) as lab,
        lab_in_browser.watched_page(browser, lab, width=1280, height=900) as watched,
    ):
        assert lab.folder == tmp_path / FOLDER
        page = watched.page
        page.goto(lab.start_page())
        lab_in_browser.wait_for_notebook(page, FIRST_LESSON)
        assert page.locator(".jp-Notebook h1").first.is_visible()
        assert page.get_by_text("official Jupyter news").count() == 0  # nobody is asked
        page.get_by_role("listitem", name=LESSONS[-1].name).dblclick()
        lab_in_browser.wait_for_notebook(page, LESSONS[-1].name)
        lab_in_browser.stop_kernels(page, lab)
    assert watched.complaints == []
