"""Give the student copies of the lessons and exercises, in my/: make lab.

    python -m tools.release.my_copies            # in my/
    python -m tools.release.my_copies FOLDER     # elsewhere, where the course's folder is shared

The copies hold no outputs, so that no prediction has its answer below it. git ignores them. They
lie as in the course, my/notebooks and my/exercises, so that links between them work.

What a student has changed is never written again. A lesson that changed since then comes as a new
file beside the student's, and this is said. A copy that nobody changed is replaced, and one that
was deleted or renamed comes anew. The metadata of a copy say what it was made from.
"""

import copy
import hashlib
import json
import sys
from pathlib import Path

from nbformat import NotebookNode

from tools.notebooks.notebook_files import (
    LINKS_LINE,
    ROOT,
    find_notebooks,
    fixed_json,
    notebook_text,
    read_notebook,
    without_outputs,
    write_notebook,
)
from tools.site.stamp_links import HOW_TO_PUBLISH, setup_cells

FOLDER = "my"
COPIED_FOLDERS = ("notebooks", "exercises")
PAGES = ("docs/cheat_sheet.md", HOW_TO_PUBLISH)  # what lessons link to beside each other
MARK = "attention_course"  # a key of the copy's metadata


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def copy_of(source: Path) -> NotebookNode:
    """Return the notebook without outputs, and in its metadata what it was made from.

    A release changes every badge and set-up cell; a lesson with no other change is the same lesson.
    """
    notebook = without_outputs(read_notebook(source))
    taught = copy.deepcopy(notebook)
    taught.cells[0].source = LINKS_LINE.sub("", taught.cells[0].source)
    for cell in setup_cells(taught):
        cell.source = ""
    mark = {"lesson": digest(notebook_text(taught)), "copy": digest(notebook_text(notebook))}
    notebook.metadata = NotebookNode(notebook.metadata, **{MARK: mark})
    return notebook


def lesson_in(path: Path) -> str | None:
    """Return the version of the lesson that a copy was made from, None where it does not say."""
    try:
        return json.loads(path.read_bytes())["metadata"][MARK]["lesson"]
    except (OSError, ValueError, KeyError, TypeError):  # no longer such a notebook
        return None


def is_untouched(path: Path) -> bool:
    """Whether the copy is as it was written, so that nothing is lost with it."""
    if lesson_in(path) is None:
        return False
    form = json.loads(path.read_bytes())
    mark = form["metadata"].pop(MARK)
    return digest(fixed_json(form)) == mark.get("copy")


def copies(path: Path) -> list[Path]:
    """Return the copies of a lesson that are there, oldest first: a.ipynb, a_2.ipynb, ..."""
    existing: list[Path] = []
    while path_of_copy(path, len(existing) + 1).exists():
        existing.append(path_of_copy(path, len(existing) + 1))
    return existing


def path_of_copy(path: Path, number: int) -> Path:
    return path if number == 1 else path.with_stem(f"{path.stem}_{number}")


def give_copy(source: Path, path: Path) -> Path | None:
    """Write the copy of a lesson, if none of it is there; return a file new beside others."""
    notebook = copy_of(source)
    earlier = copies(path)
    if notebook.metadata[MARK]["lesson"] in map(lesson_in, earlier):
        return None
    is_replaced = bool(earlier) and is_untouched(earlier[-1])
    target = earlier[-1] if is_replaced else path_of_copy(path, len(earlier) + 1)
    write_notebook(target, notebook)
    return None if target == path else target


def give_copies(root: Path, folder: Path | None = None) -> list[str]:
    """Write all copies of the course at `root`; return what a student should know.

    They go into `folder`, or into root/my where none is named.

    A page that lessons link to is written anew each time: it is there to be read.
    """
    messages = []
    target = folder or root / FOLDER
    for source in find_notebooks(root, COPIED_FOLDERS):
        path = target / source.relative_to(root)
        if new := give_copy(source, path):
            yours, its_new = (name.relative_to(target.parent).as_posix() for name in (path, new))
            messages.append(f"{yours} stays as you left it. The lesson has changed: {its_new}")
    for name in filter(lambda name: (root / name).exists(), PAGES):
        page = target / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_bytes((root / name).read_bytes())
    return messages


def main() -> int:
    folder = Path(sys.argv[1]).expanduser().absolute() if sys.argv[1:] else ROOT / FOLDER
    try:
        messages = give_copies(ROOT, folder)
    except OSError as error:
        print(
            f"Your copies could not be written: {error.filename or folder} ({error.strerror}). "
            "They may lie in any folder of yours: make lab MY=folder",
            file=sys.stderr,
        )
        return 1
    print("".join(f"{message}\n" for message in messages), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
