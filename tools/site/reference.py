"""The reference of course_lib: docs/reference/, written from docs/reference.toml by make links.

Sphinx reads the docstrings when the site is built; as its extension, this module shows it which
lines of a docstring are code. The pages say in which lesson students build a function, or which
lesson uses it first.
"""

import importlib
import inspect
import pkgutil
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from nbformat import NotebookNode

import course_lib
from tools.notebooks.notebook_files import ROOT, read_notebook
from tools.site.claims import link_to
from tools.site.syllabus import LESSONS

FOLDER = ROOT / "docs" / "reference"
SECTION = re.compile(r"^(Args|Returns|Raises|Yields|Attributes):$")


def read_table() -> dict:
    return tomllib.loads((ROOT / "docs" / "reference.toml").read_text(encoding="utf-8"))


def found(name: str) -> object:
    """Return what a name of the table stands for, such as heads.ablate_heads.

    Raises:
        AttributeError, ImportError: course_lib has no such name.
    """
    module, _, last = f"course_lib.{name}".rpartition(".")
    return getattr(importlib.import_module(module), last)


def public_names(module: ModuleType) -> list[str]:
    """Return the functions and classes of a module that are meant for others.

    These are the names of ``__all__``; without it, those that the module itself defines. What a
    package takes from its own modules counts as its own.
    """
    if hasattr(module, "__all__"):
        return list(module.__all__)
    inside = module.__name__ + ("." if hasattr(module, "__path__") else "")
    return [
        name
        for name, one in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(one) or inspect.isfunction(one))
        and (one.__module__ == module.__name__ or one.__module__.startswith(inside))
    ]


def all_names(inner_modules: list[str]) -> list[str]:
    """Return every public name once: without a module where course_lib itself has it.

    A room that exports names speaks for its modules; of any other, each module has its own.
    """
    top = dir(course_lib)
    objects = [getattr(course_lib, name) for name in top]
    return top + [
        f"{path}.{name}"
        for path, module in _speaking(course_lib, "", inner_modules)
        for name in public_names(module)
        if all(getattr(module, name) is not one for one in objects)
    ]


def _speaking(
    package: ModuleType, before: str, inner: list[str]
) -> Iterator[tuple[str, ModuleType]]:
    """Yield the modules, and the rooms that export names, below a package."""
    is_silent = package is course_lib or not public_names(package)
    for info in pkgutil.iter_modules(package.__path__):
        path = before + info.name
        if path in inner or not (info.ispkg or is_silent):
            continue
        module = importlib.import_module(f"course_lib.{path}")
        if not info.ispkg or public_names(module):
            yield path, module
        if info.ispkg:
            yield from _speaking(module, f"{path}.", inner)


def summary(name: str) -> str:
    """Return the first sentence of a docstring, as markdown.

    Raises:
        ValueError: there is none.
    """
    text = inspect.getdoc(found(name)) or ""
    first = " ".join(text.split("\n\n")[0].split()).replace("``", "`")
    if not first:
        raise ValueError(f"course_lib.{name} has no docstring")
    return first


@cache
def notebook_of(lesson: str) -> NotebookNode:
    return read_notebook(ROOT / "notebooks" / f"{LESSONS[lesson].name}.ipynb")


def imports(notebook: NotebookNode, name: str) -> bool:
    """Whether a notebook takes this name from course_lib, and not one of its own."""
    module, _, last = f"course_lib.{name}".rpartition(".")
    taken = re.compile(
        rf"from course_lib[\w.]* import (?:\([^)]*|[^\n(]*)\b{last}\b"
        rf"|\b{module.rpartition('.')[2]}\.{last}\b"
    )
    return any(cell.cell_type == "code" and taken.search(cell.source) for cell in notebook.cells)


def first_use(name: str) -> tuple[str, str] | None:
    """Return lesson and cell that use a name first, imports aside; None if no lesson does."""
    last = name.rpartition(".")[2]
    called, defined = re.compile(rf"(?<!\w){last}\("), re.compile(rf"(?:def|class) {last}\(")
    for number, lesson in LESSONS.items():
        if lesson.is_there and imports(notebook_of(number), name):
            for cell in notebook_of(number).cells:
                if cell.cell_type == "code" and called.search(defined.sub("", cell.source)):
                    return number, cell.id
    return None


def where(name: str, built: dict[str, str]) -> str:
    """Return the sentence that says which lesson a name belongs to."""
    used = first_use(name)
    if name in built:
        lesson, _, cell = built[name].partition("#")
        says = "You build it in"
    elif used:
        (lesson, cell), says = used, "First used in"
    else:
        return ""
    return f"{says} {link_to(lesson, cell, notebook_of(lesson), top='../..')}."


def own_methods(one: type) -> Iterator[str]:
    """Yield the documented methods and properties that a class defines itself."""
    for name, member in vars(one).items():
        function = getattr(member, "fget", None) or getattr(member, "__func__", member)
        is_ours = inspect.isfunction(function) and function.__module__ == one.__module__
        if is_ours and not name.startswith("_") and function.__doc__:
            yield name


def entry(name: str, built: dict[str, str]) -> str:
    """Return the part of a page that is about one name."""
    one = found(name)
    directive = f".. autofunction:: course_lib.{name}"
    if inspect.isclass(one):
        directive = f".. autoclass:: course_lib.{name}"
        if methods := ", ".join(own_methods(one)):
            directive += f"\n   :members: {methods}"
    parts = [f"## {name.rpartition('.')[2]}", where(name, built)]
    parts.append(f"```{{eval-rst}}\n{directive}\n```")
    return "\n\n".join(filter(None, parts))


def index(table: dict) -> str:
    """Return the page that lists all names."""
    lines = [
        "# Reference of course_lib",
        "",
        "<!-- `make links` writes these pages from reference.toml. -->",
        "",
        "What the lessons build is also a small library, `course_lib`, tested line by line. Each "
        "name is explained by its docstring, and linked to the lesson in which you build it.",
    ]
    for page in table["page"]:
        lines += ["", f"## {page['title']}", "", page["about"], ""]
        for name in page["names"]:
            last = name.rpartition(".")[2]
            lines.append(f"- [`{last}`]({page['file']}.md#{last.lower()}): {summary(name)}")
    files = "\n".join(page["file"] for page in table["page"])
    return "\n".join([*lines, "", f"```{{toctree}}\n:hidden:\n\n{files}\n```", ""])


def pages() -> dict[str, str]:
    """Return all pages of the reference by file name."""
    table = read_table()
    texts = {"index.md": index(table)}
    for page in table["page"]:
        entries = [entry(name, table["built"]) for name in page["names"]]
        texts[f"{page['file']}.md"] = "\n\n".join(
            [f"# {page['title']}", page["about"], *entries, ""]
        )
    return texts


def show_code(app, what, name, obj, options, lines: list[str]) -> None:
    """Mark indented code of a docstring as code, for Sphinx; in place."""
    lines[:] = list(_with_code_marked(lines))


def _with_code_marked(lines: list[str]) -> Iterator[str]:
    in_section = in_code = False
    before = ""
    for line in lines:
        if line.strip() and not line.startswith(" "):
            in_section, in_code = bool(SECTION.match(line)), False
        starts = line.startswith("    ") and not before.strip()
        if starts and not in_section and not in_code:
            in_code = True
            yield from ("::", "")
        yield line
        before = line


def setup(app) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", show_code, priority=400)  # napoleon has 500
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def main() -> int:
    try:
        texts = pages()
    except (AttributeError, ImportError, ValueError) as error:
        print(f"docs/reference.toml: {error}", file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.md"):
        if path.name not in texts:
            path.unlink()
            print(f"docs/reference/{path.name}: removed")
    for name, text in texts.items():
        path = FOLDER / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"docs/reference/{name}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
