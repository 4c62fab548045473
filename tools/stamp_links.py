"""Write address, syllabus and minutes into the notebooks and the README: make links.

The address and the version stand in pyproject.toml. From them come each notebook's first cell
(its line of links), its set-up cell and the README's links to Colab. From syllabus.py come the
README's syllabus and the map in lesson 00, from minutes.py the minutes there and in the lessons.
Exercises get theirs from the solutions, by `make exercises`.
"""

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from minutes import LessonLoad, load_of_lesson, loads_of_lessons, write_minutes
from notebook_files import (
    EXECUTED_FOLDERS,
    LINKS_LINE,
    ROOT,
    cell_tags,
    find_notebooks,
    loads_real_model,
    read_notebook,
    write_notebook,
)
from syllabus import map_table, readme_table

BADGE = "https://colab.research.google.com/assets/colab-badge.svg"


def colab_branch(tag: str) -> str:
    """Name the branch that holds the lessons of a tag without outputs: see colab_branch.py."""
    return f"colab-{tag}"


def block(name: str) -> re.Pattern[str]:
    """A pair of comments, <!-- NAME:begin --> and <!-- NAME:end -->, and what is between them."""
    return re.compile(rf"(<!-- {name}:begin -->\n).*?(<!-- {name}:end -->)", re.DOTALL)


def write_table(name: str, table: str, text: str) -> str:
    """Write a table between each pair of comments of this name."""
    return block(name).sub(lambda match: f"{match[1]}\n{table}\n{match[2]}", text)


SETUP_CELL = """\
# Set-up: on Colab this installs course_lib and its widgets; elsewhere it changes nothing.
import importlib.util
import subprocess
import sys

ADDRESS, TAG = "{address}", "{tag}"
if importlib.util.find_spec("course_lib") is None:
    if "google.colab" not in sys.modules:
        raise ModuleNotFoundError("course_lib is not installed; `make lab` does it, see README.md")
    if "OWNER/REPOSITORY" in ADDRESS:
        raise RuntimeError(
            "This copy of the course does not know its address yet, so Colab cannot fetch "
            "course_lib. Its owner sets Repository in pyproject.toml, runs `make links` and "
            "pushes the tag " + TAG + ". Until then, run the course on your computer: `make lab`."
        )
    packages = [f"course_lib @ git+{{ADDRESS}}@{{TAG}}", "anywidget", "psygnal"{more}]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", *packages]
    done = subprocess.run(pip, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError("Colab could not install course_lib:\\n" + done.stderr)
    importlib.invalidate_caches()"""
READERS_OF_THE_MODEL = ("gguf", "tokenizers")  # what course_lib.real_model imports


@dataclass(frozen=True)
class Project:
    root: Path
    address: str  # https://github.com/OWNER/REPOSITORY
    tag: str

    @classmethod
    def read(cls, root: Path) -> "Project":
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        address = project["urls"]["Repository"].removesuffix("/").removesuffix(".git")
        if not re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+", address):
            raise ValueError(
                "Repository in pyproject.toml must look like https://github.com/OWNER/REPOSITORY "
                f"(Colab opens notebooks from GitHub), got {address}"
            )
        return cls(root, address, "v" + project["version"])

    def colab_badge(self, path: str) -> str:
        """Return the badge that opens this file of the repository in Colab."""
        return f"[![Open in Colab]({BADGE})]({self.colab_address(path)})"

    def colab_address(self, path: str) -> str:
        repository = self.address.removeprefix("https://github.com/")
        branch = colab_branch(self.tag)
        return f"https://colab.research.google.com/github/{repository}/blob/{branch}/{path}"

    def has_exercise(self, topic: str) -> bool:
        """Whether there is, or `make exercises` will make, an exercise on this topic."""
        return (self.root / "solutions" / topic / f"{topic}.ipynb").exists()

    def setup_cell(self, *, real_model: bool = False) -> str:
        """Return the set-up cell; with ``real_model``, of a notebook that loads one."""
        more = "".join(f', "{name}"' for name in READERS_OF_THE_MODEL) if real_model else ""
        return SETUP_CELL.format(address=self.address, tag=self.tag, more=more)

    def links_line(self, notebook: Path) -> str:
        """Return the line of links for the notebook: itself in Colab, and its counterpart.

        A solution gets the links of its exercise, which is made from it.
        """
        topic = notebook.stem
        lesson, exercise = f"notebooks/{topic}.ipynb", f"exercises/{topic}/{topic}.ipynb"
        if notebook.relative_to(self.root).parts[0] == "notebooks":
            here, other, name, way = lesson, exercise, "exercises", "../"
            has_other = self.has_exercise(topic)
        else:
            here, other, name, way = exercise, lesson, "lesson", "../../"
            has_other = (self.root / lesson).exists()
        line = self.colab_badge(here)
        if has_other:
            line += (
                f" The {name} of this topic: [here]({way}{other}), "
                f"[in Colab]({self.colab_address(other)})."
            )
        return line


def setup_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if "setup" in cell_tags(cell)]


def stamp_notebook(path: Path, project: Project, loads: dict[str, LessonLoad]) -> bool:
    """Write links, set-up cell, map and minutes; return whether that changed the file."""
    notebook = read_notebook(path)
    first, setups = notebook.cells[0], setup_cells(notebook)
    if len(LINKS_LINE.findall(first.source)) != 1:
        raise ValueError(f"{path}: the first cell needs one line that starts with [badge]")
    if len(setups) != 1:
        raise ValueError(f"{path}: one cell must have the tag `setup`, {len(setups)} have it")
    before = path.read_bytes()
    line = project.links_line(path)
    first.source = LINKS_LINE.sub(lambda match: line, first.source)
    setups[0].source = project.setup_cell(real_model=loads_real_model(notebook))
    setups[0].metadata["jupyter"] = {"source_hidden": True}  # JupyterLab folds it
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = write_table("map", map_table(loads), cell.source)
    if path.relative_to(project.root).parts[0] == "notebooks":
        try:
            write_minutes(notebook, load_of_lesson(notebook))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
    write_notebook(path, notebook)
    return path.read_bytes() != before


def stamp_readme(project: Project, loads: dict[str, LessonLoad]) -> bool:
    path = project.root / "README.md"
    before = path.read_text(encoding="utf-8")
    if len(block("syllabus").findall(before)) != 1:
        raise ValueError(
            "README.md needs one pair of <!-- syllabus:begin --> and <!-- syllabus:end -->"
        )
    after = write_table("syllabus", readme_table(loads, project.colab_address), before)
    path.write_text(after, encoding="utf-8")
    return after != before


def stamp_all(root: Path) -> list[str]:
    """Stamp everything; return what changed."""
    project, loads = Project.read(root), loads_of_lessons(root)
    changed = [
        path.relative_to(root).as_posix()
        for path in find_notebooks(root, EXECUTED_FOLDERS)
        if stamp_notebook(path, project, loads)
    ]
    loads = loads_of_lessons(root)  # again: lesson 00 has counted its new map
    return changed + (["README.md"] if stamp_readme(project, loads) else [])


def main() -> int:
    try:
        changed = stamp_all(ROOT)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(f"{name}: stamped" for name in changed) or "all links are up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
