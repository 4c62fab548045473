"""Write address, syllabus and minutes into the notebooks and the README: make links.

The address stands in address.txt, and the version in pyproject.toml. From them come each
notebook's first cell (its line of links), its set-up cell and the README's links to Colab. From
syllabus.py come the README's syllabus, the map in lesson 00 and what each lesson needs, from
minutes.py the minutes there and in the lessons. publish.py writes the address.
"""

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from tools.notebooks.minutes import LessonLoad, load_of_lesson, loads_of_lessons, write_minutes
from tools.notebooks.notebook_files import (
    FOLDERS,
    LINKS_LINE,
    ROOT,
    cell_tags,
    find_notebooks,
    loads_real_model,
    read_notebook,
    write_notebook,
)
from tools.site.syllabus import (
    BRIDGE,
    LESSONS,
    NEEDED,
    map_table,
    readme_table,
    short_way,
    write_header,
)

BADGE = "https://colab.research.google.com/assets/colab-badge.svg"
GITHUB = "https://github.com/"
PLACEHOLDER = "OWNER/REPOSITORY"
ADDRESS_FILE = "address.txt"
HOW_TO_PUBLISH = "docs/publishing.md"


def colab_branch(tag: str) -> str:
    """Name the branch that holds the lessons of a tag without outputs: see colab_branch.py."""
    return f"colab-{tag}"


def checked_address(address: str) -> str:
    """Return the address of a repository without its usual endings.

    Raises:
        ValueError: it is no address of a repository on the web.
    """
    short = address.strip().removesuffix("/").removesuffix(".git")
    pattern = r"https://[\w.-]+(:\d+)?(/[\w.~-]+){2,}"
    if short.startswith(GITHUB):
        pattern = re.escape(GITHUB) + r"[\w.-]+/[\w.-]+"
    if not re.fullmatch(pattern, short, re.ASCII):
        raise ValueError(
            "the address must look like https://github.com/OWNER/REPOSITORY, or like that on "
            f"another host, got {address.strip() or 'nothing'}"
        )
    return short


def block(name: str) -> re.Pattern[str]:
    """A pair of comments, <!-- NAME:begin --> and <!-- NAME:end -->, and what is between them."""
    return re.compile(rf"(<!-- {name}:begin -->\n).*?(<!-- {name}:end -->)", re.DOTALL)


def write_table(name: str, table: str, text: str) -> str:
    """Write a table between each pair of comments of this name."""
    return block(name).sub(lambda match: f"{match[1]}\n{table}\n{match[2]}", text)


# Where the import fails, the traceback shows that line, and so what its comment says. pip alone
# does not stop the cell.
SETUP_CELL = """\
# Set-up: in Colab this installs course_lib; elsewhere it changes nothing. Colab forgets: keep your
# answers by File > Save a copy in Drive, or Download. After a disconnect, Runtime > Run all.
import sys
from importlib.util import find_spec

if "google.colab" in sys.modules and find_spec("course_lib") is None:
    get_ipython().run_line_magic("pip", 'install --quiet "{package} @ git+{address}@{branch}"')
import course_lib  # missing? At home: `make lab`. In Colab: see pip (no private repositories)"""
SETUP_CELL_BEFORE = """\
import course_lib  # missing? Run `make lab`. In Colab it works once this copy is published"""


@dataclass(frozen=True)
class Project:
    root: Path
    address: str  # https://github.com/OWNER/REPOSITORY
    tag: str

    @classmethod
    def read(cls, root: Path) -> "Project":
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        address = checked_address((root / ADDRESS_FILE).read_text(encoding="utf-8"))
        return cls(root, address, "v" + project["version"])

    @property
    def is_published(self) -> bool:
        """Whether the course knows its address."""
        return PLACEHOLDER not in self.address

    @property
    def site(self) -> str:
        """The address of the site on GitHub Pages, with a slash at its end; or nothing."""
        if not self.opens_in_colab:
            return ""
        owner, name = self.address.removeprefix(GITHUB).split("/")
        return f"https://{owner.lower()}.github.io/{name}/"

    @property
    def opens_in_colab(self) -> bool:
        """Whether Colab can open the notebooks: it takes them from GitHub only."""
        return self.is_published and self.address.startswith(GITHUB)

    @property
    def branch(self) -> str:
        return colab_branch(self.tag)

    def colab_badge(self, path: str, top: str) -> str:
        """Return the badge that opens this file of the repository in Colab.

        Until the course has been published it leads to the page that says how. ``top`` is the way
        to the repository's root from where the badge stands.
        """
        address = self.colab_address(path) if self.is_published else top + HOW_TO_PUBLISH
        return f"[![Open in Colab]({BADGE})]({address})"

    def colab_address(self, path: str) -> str:
        repository = self.address.removeprefix(GITHUB)
        return f"https://colab.research.google.com/github/{repository}/blob/{self.branch}/{path}"

    def colab_link(self, path: str) -> str:
        """Return what the README's table says of this file in Colab: nothing where that fails."""
        return f"[Colab]({self.colab_address(path)})" if self.opens_in_colab else ""

    def file_address(self, path: str) -> str:
        """Return where to read a file of the course; hosts but GitHub have ways of their own."""
        if self.address.startswith(GITHUB):
            return f"{self.address}/blob/{self.branch}/{path}"
        return self.address

    def has_exercise(self, topic: str) -> bool:
        """Whether there is, or `make exercises` will make, an exercise on this topic."""
        return (self.root / "solutions" / topic / f"{topic}.ipynb").exists()

    def setup_cell(self, *, real_model: bool = False) -> str:
        """Return the set-up cell; with ``real_model``, of a notebook that loads one."""
        if not self.is_published:
            return SETUP_CELL_BEFORE
        package = "course_lib[real]" if real_model else "course_lib"
        return SETUP_CELL.format(package=package, address=self.address, branch=self.branch)

    def links_line(self, notebook: Path) -> str:
        """Return the line of links for the notebook: itself in Colab, and its counterpart.

        A solution gets the links of its exercise, which is made from it.
        """
        topic = notebook.stem
        lesson, exercise = f"notebooks/{topic}.ipynb", f"exercises/{topic}/{topic}.ipynb"
        if notebook.relative_to(self.root).parts[0] == "notebooks":
            here, other, name, to_root = lesson, exercise, "exercises", "../"
            has_other = self.has_exercise(topic)
        else:
            here, other, name, to_root = exercise, lesson, "lesson", "../../"
            has_other = (self.root / lesson).exists()
        if self.is_published and not self.opens_in_colab:
            line = f"[The course]({self.address}) is not on GitHub, so Colab cannot open it."
        else:
            line = self.colab_badge(here, to_root)
        if has_other:
            line += f" The {name} of this topic: [here]({to_root}{other})"
            if self.opens_in_colab:
                line += f", [in Colab]({self.colab_address(other)})"
            line += "."
        return line


def setup_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if "setup" in cell_tags(cell)]


def stamp_header(path: Path) -> bool:
    """Write what a lesson needs into its first cell; return whether that changed the file."""
    notebook, before = read_notebook(path), path.read_bytes()
    first = notebook.cells[0]
    try:
        first.source = write_header(first.source, LESSONS[path.stem[:2]])
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    write_notebook(path, notebook)
    return path.read_bytes() != before


def stamp_notebook(path: Path, project: Project, tables: dict[str, str]) -> bool:
    """Write links, set-up cell, tables and minutes; return whether that changed the file."""
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
            for name, table in tables.items():
                cell.source = write_table(name, table, cell.source)
    if path.relative_to(project.root).parts[0] == "notebooks":
        try:
            write_minutes(notebook, load_of_lesson(notebook))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
    write_notebook(path, notebook)
    return path.read_bytes() != before


def stamp_readme(project: Project, loads: dict[str, LessonLoad]) -> bool:
    path = project.root / "README.md"
    before = after = path.read_text(encoding="utf-8")
    made = {
        "needs": f"You need {NEEDED}. {BRIDGE}\n",
        "way": short_way(loads, "notebooks/"),
        "syllabus": readme_table(loads, project.colab_link),
    }
    for name, text in made.items():
        if len(block(name).findall(before)) != 1:
            raise ValueError(
                f"README.md needs one pair of <!-- {name}:begin --> and <!-- {name}:end -->"
            )
        after = write_table(name, text, after)
    path.write_text(after, encoding="utf-8")
    return after != before


def stamp_all(root: Path) -> list[str]:
    """Stamp everything; return what changed."""
    project = Project.read(root)
    changed = {path for path in find_notebooks(root, ("notebooks",)) if stamp_header(path)}
    loads = loads_of_lessons(root)
    notebooks = find_notebooks(root, FOLDERS)
    tables = {"way": short_way(loads), "map": map_table(loads)}
    changed |= {path for path in notebooks if stamp_notebook(path, project, tables)}
    loads = loads_of_lessons(root)  # again: lesson 00 has counted its new map
    names = [path.relative_to(root).as_posix() for path in notebooks if path in changed]
    return names + (["README.md"] if stamp_readme(project, loads) else [])


def main() -> int:
    try:
        changed = stamp_all(ROOT)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(f"{name}: stamped" for name in changed) or "All links are up to date.")
    if changed:
        print("Now commit these files.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
