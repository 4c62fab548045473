"""The reference has an entry for every public name of course_lib, and its links lead somewhere."""

import re
from types import ModuleType

import pytest

import course_lib
from tools.notebooks.notebook_files import ROOT
from tools.site import reference
from tools.site.claims import place_of
from tools.site.reference import all_names, found, notebook_of, public_names, read_table

TABLE = read_table()
NAMES = [name for page in TABLE["page"] for name in page["names"]]


def test_every_public_name_has_an_entry():
    wanted = all_names(TABLE["inner_modules"])
    missing = sorted(set(wanted) - set(NAMES))
    assert missing == [], "name these in docs/reference.toml, and run make links"
    assert sorted(set(NAMES) - set(wanted)) == [], "course_lib has no such names any more"
    assert len(NAMES) == len(set(NAMES))
    assert set(dir(course_lib)) <= set(NAMES)


def test_a_new_name_is_noticed(monkeypatch):
    def added():
        """A new one."""

    added.__module__ = "course_lib.study.heads"
    monkeypatch.setattr("course_lib.study.heads.added", added, raising=False)
    assert "study.heads.added" in all_names(TABLE["inner_modules"])


def test_public_names_are_those_that_a_module_defines_itself():
    module = ModuleType("course_lib.made_up")
    exec("from math import sqrt\ndef one(): ...\ndef _two(): ...\nclass Three: ...", vars(module))
    assert public_names(module) == ["one", "Three"]
    module.__all__ = ["one"]
    assert public_names(module) == ["one"]


def test_the_pages_are_up_to_date():
    folder = ROOT / "docs" / "reference"
    stored = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    assert stored == reference.pages(), "run make links"


@pytest.mark.parametrize("name", TABLE["built"])
def test_what_students_build_has_a_cell_of_code(name):
    assert name in NAMES
    lesson, _, cell = TABLE["built"][name].partition("#")
    notebook = notebook_of(lesson)
    assert notebook.cells[place_of(notebook, cell)].cell_type == "code"


@pytest.mark.parametrize("name", NAMES)
def test_every_name_says_what_it_is(name):
    assert reference.summary(name).endswith(".")
    last = name.rpartition(".")[2]
    assert getattr(found(name), "__name__", last) == last


def test_links_of_the_pages_lead_to_files():
    for name, text in reference.pages().items():
        links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text)
        folder = ROOT / "docs" / "reference"
        assert [link for link in links if not (folder / link).is_file()] == [], name


def test_first_use_is_of_course_lib_and_not_of_a_lesson_s_own():
    # Lesson 09 has a function of its own with this name, lesson 16 takes the library's.
    assert reference.first_use("data.real_model.encode")[0] == "16"
    lesson, cell = reference.first_use("study.heads.entropy_score")
    cells = notebook_of(lesson).cells
    assert "entropy_score" in cells[place_of(notebook_of(lesson), cell)].source
    assert reference.first_use("study.heads.no_such_thing") is None


CODE = """\
Replace the outputs of heads.

    with ablate_heads({}):
        loss = 1

With zero, it is missing.

Args:
    heads: one line
        and its second line.

    means: after an empty line.
"""


def test_code_in_a_docstring_is_marked_and_arguments_are_not():
    lines = CODE.splitlines()
    reference.show_code(None, "function", "f", None, None, lines)
    assert "\n".join(lines) + "\n" == CODE.replace("    with", "::\n\n    with")
