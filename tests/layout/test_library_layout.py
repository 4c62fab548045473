"""The modules of the two packages stay small, and their imports run in one direction."""

import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tools.checks.import_graph import imports_of, modules_in

ROOT = Path(__file__).parents[2]
MOST_LINES = 350
PACKAGES = ("course_lib", "course_checks")


def circle_in(package: Path) -> list[str] | None:
    """Modules that import each other, the first one again at the end; None if there are none."""
    modules = modules_in(package)
    graph = {name: imports_of(name, path, modules) for name, path in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return None


@pytest.mark.parametrize("package", PACKAGES)
def test_the_imports_of_a_package_have_no_circle(package):
    circle = circle_in(ROOT / package)
    assert circle is None, "these import each other: " + " <- ".join(circle)


IMPORTS_OF_B = [
    *("import pkg.b", "from pkg.b import thing", "from pkg import b"),
    *("from . import b", "from .b import thing"),
    "def late():\n    from pkg.b import thing",
    "class C:\n    def late(self):\n        import pkg.b as other",
    "import importlib\nimportlib.import_module('pkg.b')",
    "from importlib import import_module\ndef late(name):\n    import_module(f'pkg.{name}')",
]


@pytest.mark.parametrize("statement", IMPORTS_OF_B)
@pytest.mark.parametrize("way_back", ["from pkg.room.a import thing", "from .room import a"])
def test_a_circle_is_found_however_it_is_written(tmp_path, statement, way_back):
    package = tmp_path / "pkg"
    (package / "room").mkdir(parents=True)
    if statement.startswith("from ."):
        statement = statement.replace("from .", "from ..", 1)  # a is one room further in
    (package / "__init__.py").write_text("from pkg.room.a import thing\n")
    (package / "room" / "__init__.py").write_text("")
    (package / "room" / "a.py").write_text(statement)
    (package / "b.py").write_text("import torch\n")
    assert circle_in(package) is None
    (package / "b.py").write_text(way_back)
    assert set(circle_in(package)) == {"pkg.room.a", "pkg.b"}


def unshipped(package: Path, package_data: dict[str, list[str]]) -> list[str]:
    """The files beside the Python files that an installed package would lack."""
    shipped = {
        path
        for name, patterns in package_data.items()
        for pattern in patterns
        for path in package.parent.joinpath(*name.split(".")).glob(pattern)
    }
    files = {path for path in package.rglob("*") if path.is_file()} - shipped
    return [str(path) for path in sorted(files) if path.suffix not in (".py", ".pyc")]


def test_every_file_of_the_library_ships_and_its_types_too():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    package_data = project["tool"]["setuptools"]["package-data"]
    for package in PACKAGES:
        assert (ROOT / package / "py.typed").is_file()
        assert unshipped(ROOT / package, package_data) == []
    del package_data["course_lib"]
    assert unshipped(ROOT / "course_lib", package_data) == [str(ROOT / "course_lib" / "py.typed")]


# From the ground up: a room may use those before it, and no others.
ROOMS = ("attention", "model", "data", "study", "figures", "widgets", "parallel")
GROUND = ("validation", "device")  # what all may use


def wrong_ways(package: Path) -> list[str]:
    """Imports that lead up; "study.heads uses figures.heatmaps"."""
    modules = modules_in(package)
    found = []
    for name, path in modules.items():
        room = name.partition(".")[2].partition(".")[0]
        if room == "":  # the package itself names what is public
            continue
        for wanted in imports_of(name, path, modules):
            below = wanted.partition(".")[2].partition(".")[0]
            allowed = (room, *GROUND, *ROOMS[: ROOMS.index(room)]) if room in ROOMS else GROUND
            if below not in allowed:
                found.append(f"{name} uses {wanted}")
    return found


def test_imports_lead_from_room_to_room_in_one_direction():
    assert wrong_ways(ROOT / "course_lib") == []


def test_the_library_knows_nothing_of_the_checks():
    everything = modules_in(ROOT / "course_lib") | modules_in(ROOT / "course_checks")
    for name, path in modules_in(ROOT / "course_lib").items():
        wanted = imports_of(name, path, everything)
        assert not [module for module in wanted if module.startswith("course_checks")], name


def test_a_way_up_is_seen(tmp_path):
    for room in ("attention", "study"):
        (tmp_path / "pkg" / room).mkdir(parents=True)
        (tmp_path / "pkg" / room / "__init__.py").write_text("")
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (tmp_path / "pkg" / "attention" / "masks.py").write_text("from pkg.study import heads")
    (tmp_path / "pkg" / "study" / "heads.py").write_text("import pkg.attention.masks")
    (tmp_path / "pkg" / "device.py").write_text("import pkg.attention.masks")
    assert wrong_ways(tmp_path / "pkg") == [
        "pkg.attention.masks uses pkg.study.heads",
        "pkg.device uses pkg.attention.masks",
    ]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_is_too_long(package):
    lengths = {
        name: len(path.read_text().splitlines())
        for name, path in modules_in(ROOT / package).items()
        if not name.endswith("_answers")
    }
    too_long = {name: lines for name, lines in lengths.items() if lines > MOST_LINES}
    assert not too_long, f"more than {MOST_LINES} lines: {too_long}"
