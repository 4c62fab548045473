"""The mutation run itself: what it edits, what it calls noticed, and its list of exceptions."""

import subprocess
from collections import Counter

import pytest

from tools.checks import mutants
from tools.notebooks.notebook_files import ROOT

SOURCE = '''
LIMIT: int = 3


class Scale:
    """Not edited: 1 + 1."""

    def apply(self, x: tuple[int, float], *, times: int | None = None) -> tuple[int, int]:
        if times is not None and x > times:
            return x * times
        return x
'''


@pytest.fixture(scope="module")
def library_edits():
    return mutants.all_edits(ROOT)


def keys(source):
    return [(e.where, e.before, e.after, e.nth) for e in mutants.edits_of_module("scale", source)]


def test_edits_of_a_module():
    found = keys(SOURCE)
    test = "if times is not None and x > times:"
    assert [key for key in found if key[1] == test] == [
        ("scale.Scale.apply", test, after, 1)
        for after in (
            "if times is not None or x > times:",
            "if times is None and x > times:",
            "if times is not None and x <= times:",
            "if times is not None and x >= times:",
        )
    ]
    assert ("scale", "LIMIT = 3", "LIMIT = 4", 1) in found
    assert ("scale.Scale.apply", "return x * times", "return x / times", 1) in found
    assert len(found) == 9 and not any("Not edited" in before for _, before, *_ in found)


def test_an_edited_dataclass_keeps_its_fields():
    source = "@dataclass\nclass Step:\n    size: int | None\n    times: int = 2\n"
    edits = list(mutants.edits_of_module("step", f"from dataclasses import dataclass\n{source}"))
    assert [edit.after for edit in edits] == ["times: 'int' = 3", "times: 'int' = 1"]
    exec(edits[0].source, made := {})
    assert (made["Step"](5).size, made["Step"](5).times) == (5, 3)


def test_the_choice_is_repeated_and_moves_little_when_the_code_changes(library_edits):
    first = mutants.chosen(library_edits, 100, 0)
    assert first == mutants.chosen(list(reversed(library_edits)), 100, 0) and len(set(first)) == 100
    assert len(set(first) & set(mutants.chosen(library_edits, 100, 1))) < 40
    fewer = [edit for edit in library_edits if edit.where != "attention/cache.KVCache.append"]
    assert len(set(first) & set(mutants.chosen(fewer, 100, 0))) > 90
    of_rooms = Counter(edit.room for edit in first)
    assert of_rooms.keys() == mutants.ROOMS.keys()
    assert max(of_rooms.values()) - min(of_rooms.values()) <= 1


def test_every_edit_of_the_library_has_a_key_of_its_own(library_edits):
    assert len(library_edits) > 9000
    assert not [edit for edit, times in Counter(library_edits).items() if times > 1]


def test_the_list_of_exceptions_is_about_todays_library_and_gives_reasons(library_edits):
    reasons = mutants.equivalent_mutants()
    gone = [str(edit) for edit in reasons if edit not in library_edits]
    assert not gone, "these edits can no longer be made:\n" + "\n".join(gone)
    assert all(len(why.split()) > 4 for why in reasons.values())


def test_an_entry_of_another_statement_is_no_exception(tmp_path):
    path = tmp_path / "list.toml"
    entry = "[[edit]]\nwhere = 'm.f'\nbefore = 'a > b'\nafter = 'a >= b'\nwhy = 'Never equal.'\n"
    path.write_text(entry)
    listed = mutants.Edit("m.f", "a > b", "a >= b", 1, "the source does not matter")
    others = [
        mutants.Edit("m.g", "a > b", "a >= b", 1, ""),
        mutants.Edit("m.f", "a > b", "a >= b", 2, ""),
    ]
    assert mutants.equivalent_mutants(path) == {listed: "Never equal."}
    edits = [listed, *others]
    assert mutants.verdict(edits, edits, mutants.equivalent_mutants(path)) == (others, [])
    assert mutants.verdict(edits, [], mutants.equivalent_mutants(path)) == ([], [listed])


# --- a whole run, on a package of one module ---------------------------------------------------

TOY = """
def larger(a, b):
    return a if a > b else b

def down(n):
    while n > 0:
        n -= 1
"""
TOY_TESTS = """
from course_lib.toy import down, larger

def test_larger():
    assert (larger(1, 2), larger(2, 1)) == (2, 2)

def test_down():
    down(3)
"""

ROOM = {"room": mutants.Room("course_lib", "tests")}


@pytest.fixture
def toy(tmp_path):
    root = tmp_path / "root"
    for folder, name, text in (("course_lib", "toy", TOY), ("tests", "test_toy", TOY_TESTS)):
        (root / folder).mkdir(parents=True)
        (root / folder / f"{name}.py").write_text(text)
    (root / "course_lib" / "__init__.py").write_text("")
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


def workshop(root, folder):
    return mutants.Workshop(folder, root, ROOM)


def test_a_run_finds_what_no_test_notices_and_leaves_the_package_alone(toy, tmp_path):
    edits = [edit for edit in mutants.all_edits(toy, ROOM) if "larger" in edit.where]
    shops = [workshop(toy, tmp_path / str(i)) for i in range(2)]
    shops[0].check(edits)
    found = [edit.after for edit in mutants.unnoticed(edits, shops)]
    assert found == ["return a if a >= b else b"] and len(edits) == 2
    assert (toy / "course_lib" / "toy.py").read_text() == TOY
    assert (tmp_path / "0" / "course_lib" / "toy.py").read_text() == TOY


def test_an_edit_without_end_is_noticed(toy, tmp_path, monkeypatch):
    monkeypatch.setattr(mutants, "TIME_LIMIT", 5)
    endless = TOY.replace("n -= 1", "n += 0")
    assert workshop(toy, tmp_path / "shop").is_noticed("room", "toy", endless)


def test_what_fails_unedited_is_named_and_notices_nothing(toy, tmp_path, capsys):
    (toy / "tests" / "test_other.py").write_text("def test_other():\n    assert False\n")
    shop = workshop(toy, tmp_path / "shop")
    shop.check(mutants.all_edits(toy, ROOM))
    assert capsys.readouterr().out.endswith("is left out: tests/test_other.py::test_other\n")
    assert not shop.is_noticed("room", "toy", TOY)


@pytest.mark.parametrize(
    "tests, message",
    [
        ("import nothing_of_this_name\n", "tests of room do not run"),
        ("def test_nothing():\n    pass\n", "tests of room do not import the copy"),
    ],
)
def test_a_run_that_would_mean_nothing_is_refused(toy, tmp_path, tests, message):
    (toy / "tests" / "test_toy.py").write_text(tests)
    with pytest.raises(SystemExit, match=message):
        workshop(toy, tmp_path / "shop").check(mutants.all_edits(toy, ROOM))
