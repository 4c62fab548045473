"""The assignment: what students get, and nbgrader's gradebook that knows every cell of it."""

import hashlib
import os
import shutil
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

import course_checks as checks
from grading.sandbox import course_folders
from tools.notebooks.notebook_files import ROOT, read_notebook

COURSE_ID = "attention"
UNPUBLISHED = "https://github.com/OWNER/REPOSITORY"  # in address.txt, until `make publish`
README = """# {name}

Work in {name}.ipynb, and hand in that file, saved.

In Colab: upload it. Its first cell brings what it needs.
On your own computer, in a terminal, with Python 3.11 or newer:

    python -m pip install jupyterlab "course_lib @ git+{address}"
    jupyter lab {name}.ipynb

PyTorch is among what comes: 2 GB, some minutes, once.
"""


@dataclass(frozen=True)
class Release:
    """One assignment: the notebook that students get, in the ``folder`` of all that they get.

    The gradebook holds it and no student. The digest changes when it or course_lib does.
    """

    name: str
    notebook: NotebookNode
    gradebook: Path
    folder: Path
    digest: str

    @property
    def points(self) -> dict[str, float]:
        """The points that each check cell can have, by its grade_id."""
        graded = [
            cell.metadata.nbgrader
            for cell in self.notebook.cells
            if cell.metadata.get("nbgrader", {}).get("grade")
        ]
        return {about.grade_id: float(about.points) for about in graded}


def make_release(name: str, workplace: Path, root: Path = ROOT) -> Release:
    """Let nbgrader make the release of solutions/``name``, or of a variant, in ``workplace``."""
    variant = Path(checks.VARIANTS or root / "solutions") / name  # an instructor's
    source = variant if variant.is_dir() else root / "solutions" / name
    if not (source / f"{name}.ipynb").is_file():
        known = sorted(path.name for path in (root / "solutions").iterdir() if path.is_dir())
        raise ValueError(f"There is no assignment {name!r}. There are: {', '.join(known)}.")
    config = Config(PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config())
    config.CourseDirectory.root = str(workplace)
    config.CourseDirectory.assignment_id = name
    course = CourseDirectory(config=config)
    shutil.copytree(
        source,
        workplace / course.source_directory / name,
        ignore=shutil.ignore_patterns(".ipynb_checkpoints"),
    )
    # nbgrader calls alembic by its name, and the environment need not be activated.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    GenerateAssignment(coursedir=course, config=config).start()
    folder = workplace / course.release_directory / name
    digest = hashlib.sha256()
    variants = sorted(Path(checks.VARIANTS).glob("*.py")) if checks.VARIANTS else []
    programs = [path for course in course_folders() for path in _files(course, "*.py")]
    for path in [*_files(source), *programs, *variants]:
        digest.update(path.name.encode() + path.read_bytes())
    return Release(
        name,
        read_notebook(folder / f"{name}.ipynb"),
        workplace / "gradebook.db",
        folder,
        digest.hexdigest(),
    )


def about_checks() -> dict[str, tuple]:
    """What a kernel is told of each check: its title, the most points and its help."""
    return {
        name: (check.title, check.max_points, check.__doc__) for name, check in checks.ALL.items()
    }


def _files(folder: Path, pattern: str = "*") -> list[Path]:
    hidden = (".ipynb_checkpoints", "__pycache__")
    paths = sorted(folder.rglob(pattern))
    return [path for path in paths if path.is_file() and path.parent.name not in hidden]


def write_zip(name: str, path: Path, root: Path = ROOT) -> float:
    """Write what students get as a zip file with one folder in it; return its points."""
    address = (root / "address.txt").read_text(encoding="utf-8").strip()
    if address == UNPUBLISHED:
        raise ValueError(
            "This copy of the course has no address yet, so students could not install it. Give it "
            "the one where it will be: make publish ADDRESS=https://github.com/me/course"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as workplace:
        release = make_release(name, Path(workplace), root)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in _files(release.folder):
                archive.write(file, Path(name) / file.relative_to(release.folder))
            archive.writestr(f"{name}/README.md", README.format(name=name, address=address))
    return sum(release.points.values())
