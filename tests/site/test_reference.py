"""The reference has an entry for every public name of course_lib, and its links lead somewhere."""

import importlib
import inspect
import pkgutil

import pytest

import course_checks.examine
import course_lib
from tools.site import reference
from tools.site.claims import place_of
from tools.site.reference import all_entries, first_use, lesson_of, notebook_of, read_table

TABLE = read_table()


def public_names(module):
    """The functions and classes of a module that are meant for others.

    These are the names of ``__all__``; without it, those that the module itself defines. What a
    package takes from its own modules counts as its own.
    """
    inside = module.__name__ + ("." if hasattr(module, "__path__") else "")
    own = [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and (value.__module__ == module.__name__ or value.__module__.startswith(inside))
    ]
    return list(getattr(module, "__all__", own))


def speaking(package, before=""):
    """The modules, and the rooms that export names, below a package: these speak for theirs."""
    is_silent = package is course_lib or not public_names(package)
    for info in pkgutil.iter_modules(package.__path__):
        path = before + info.name
        if path in TABLE["inner_modules"] or not (info.ispkg or is_silent):
            continue
        module = importlib.import_module(f"course_lib.{path}")
        yield path, module
        if info.ispkg:
            yield from speaking(module, f"{path}.")


def all_names():
    """Every public name once: without a module where course_lib itself has it; and the examiner."""
    top = [getattr(course_lib, name) for name in dir(course_lib)]
    names = dir(course_lib) + [
        f"{path}.{name}"
        for path, module in speaking(course_lib)
        for name in public_names(module)
        if all(getattr(module, name) is not value for value in top)
    ]
    examiner = [f"course_checks.examine.{name}" for name in course_checks.examine.__all__]
    return [f"course_lib.{name}" for name in names] + examiner


def test_every_public_name_has_one_entry():
    assert sorted(all_entries()) == sorted(all_names()), "mend the pages of docs/reference/"


@pytest.mark.parametrize("name", TABLE["built"])
def test_what_students_build_has_a_cell_of_code(name):
    assert f"course_lib.{name}" in all_entries()
    lesson, _, cell = TABLE["built"][name].partition("#")
    notebook = notebook_of(lesson)
    assert notebook.cells[place_of(notebook, cell)].cell_type == "code"


def test_every_name_says_what_it_is():
    for name in all_entries():
        module, _, last = name.rpartition(".")
        text = inspect.getdoc(getattr(importlib.import_module(module), last)) or ""
        assert text.split("\n\n")[0].endswith("."), name


def test_first_use_is_of_course_lib_and_not_of_a_lesson_s_own():
    # Lesson 09 has a function of its own with this name, lesson 16 takes the library's.
    assert first_use("course_lib.data.real_model.encode")[0] == "16"
    lesson, cell = first_use("course_lib.study.heads.entropy_score")
    assert "entropy_score" in notebook_of(lesson).cells[place_of(notebook_of(lesson), cell)].source
    assert lesson_of("course_lib.study.heads.no_such_thing") == ""


CODE = """\
Replace the mask.

    with causal_mask({}):
        loss = 1

With zero, it is missing.

Args:
    heads: one line
        and its second line.

    means: after an empty line.
"""


def test_a_docstring_gets_its_lesson_and_its_code_is_marked_but_not_its_arguments():
    lines = CODE.splitlines()
    reference.complete(None, "function", "course_lib.causal_mask", None, None, lines)
    link = "`05: The mask <../../notebooks/05_causal_masking.html#3dcb9b7b>`__"
    expected = CODE.replace("    with", "::\n\n    with")
    expected = expected.replace("mask.\n", f"mask.\n\nYou build it in {link}.\n\n", 1)
    assert "\n".join(lines) + "\n" == expected


def test_the_first_page_lists_the_names_of_all_pages():
    content = ["# Reference"]
    reference.list_all(None, "docs/reference/index", content)
    for name in all_entries():
        assert f"   ~{name}\n" in content[0]
    assert "## [Attention and masks](attention.md)\n\nAttention with one head" in content[0]
