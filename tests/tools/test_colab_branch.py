"""The branch that Colab's badges open holds the lessons without outputs, and all else as it was."""

import shutil
import subprocess

import nbformat
import pytest

from tools.notebooks.notebook_files import FOLDERS, ROOT, find_notebooks, read_notebook
from tools.release.colab_branch import make_branch

ADDRESS = "https://github.com/ada/course"
ADA = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


def git(root, *arguments):
    run = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return run.stdout


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A repository of the notebooks, with a file that git does not know; its branch is made."""
    root = tmp_path_factory.mktemp("course")
    ignored = shutil.ignore_patterns(".ipynb_checkpoints")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, root / folder, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", root)
    (root / "address.txt").write_text(f"{ADDRESS}\n")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, *ADA, "commit", "--quiet", "-m", "The course")
    (root / "notes.txt").write_text("mine\n")
    return root, make_branch(root)


def test_lessons_differ_in_their_outputs_alone(course):
    root, branch = course
    lessons = find_notebooks(ROOT, ("notebooks",))
    assert len(lessons) > 10
    for path in lessons:
        name = path.relative_to(ROOT).as_posix()
        blank = nbformat.reads(git(root, "show", f"{branch}:{name}"), as_version=4)
        want = read_notebook(path)
        assert blank.metadata == want.metadata
        for cell, original in zip(blank.cells, want.cells, strict=True):
            if cell.cell_type == "code":
                assert cell.outputs == [] and cell.execution_count is None, name
                cell.outputs, cell.execution_count = original.outputs, original.execution_count
            assert cell == original, name


def test_all_other_files_are_those_of_the_commit(course):
    root, branch = course
    changed = git(root, "diff", "--name-status", "HEAD", branch).splitlines()
    lessons = find_notebooks(ROOT, ("notebooks",))
    assert changed == [f"M\t{path.relative_to(ROOT).as_posix()}" for path in lessons]
    assert git(root, "rev-parse", f"{branch}^") == git(root, "rev-parse", "HEAD")


def test_working_tree_and_index_are_as_they_were(course):
    root, branch = course
    assert git(root, "rev-parse", "--abbrev-ref", "HEAD").strip() != branch
    assert git(root, "status", "--short") == "?? notes.txt\n"


def test_what_is_not_committed_would_be_missing_and_is_named(course):
    root, branch = course
    before = git(root, "rev-parse", branch)
    address = root / "address.txt"
    address.write_text("https://github.com/grace/course\n")
    with pytest.raises(ValueError, match=r"Now commit, or take back, .*\n M address.txt"):
        make_branch(root)
    address.write_text(f"{ADDRESS}\n")
    assert git(root, "rev-parse", branch) == before


def test_without_an_address_there_is_no_branch(tmp_path):
    for name in ("pyproject.toml", "address.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "address.txt").write_text("https://github.com/OWNER/REPOSITORY\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, *ADA, "commit", "--quiet", "-m", "The course")
    with pytest.raises(ValueError, match="does not know its address yet: make publish ADDRESS="):
        make_branch(tmp_path)
