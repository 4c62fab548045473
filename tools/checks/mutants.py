"""Edit the library in small ways and see whether its tests notice: make mutants N=100 SEED=0.

The edits are drawn in equal parts from the rooms below. Each is made in a copy of the course, and
the tests of its room run on that copy, until one fails: first the files that name the edited
module, then those that use it by way of others, then the rest. An edit that no test notices is
either a missing test or the same program in other words. The second kind is listed in
equivalent_mutants.toml with the reason. An entry there is found again by the function it is in and
by the line before and after the edit, so that it does not mind where the line stands.
"""

import argparse
import ast
import functools
import hashlib
import json
import multiprocessing
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, NoReturn

from tools.checks.edits_of_source import edits_of_library, mutations
from tools.checks.import_graph import imports_of, modules_in, name_of, reached_from
from tools.notebooks.notebook_files import ROOT

EQUIVALENT_MUTANTS = Path(__file__).with_name("equivalent_mutants.toml")
# Seconds for the tests of one edit beyond what all of its room take: it may make a loop endless.
TIME_LIMIT = 300


class Room(NamedTuple):
    """A folder whose modules are edited, and the folder of the tests that must notice."""

    code: str
    tests: str

    def modules(self, root: Path) -> list[Path]:
        return sorted((root / self.code).glob("*.py"))


ROOMS = {
    "attention": Room("course_lib/attention", "tests/attention"),
    "model": Room("course_lib/model", "tests/model"),
    "study": Room("course_lib/study", "tests/study"),
    "examine": Room("course_checks/examine", "tests/examine"),
    "parallel": Room("course_lib/parallel", "tests/parallel"),
    "judge": Room("course_checks/judge", "tests/judge"),
    "grading": Room("grading", "grading/tests"),
}


@dataclass(frozen=True)
class Edit:
    """One edit: the function that it is in, its line before and after. ``nth`` of equal ones.

    ``where`` begins with the room and the module in it: "attention/cache.KVCache.append".
    """

    where: str
    before: str
    after: str
    nth: int
    source: str = field(repr=False, compare=False)

    @property
    def room(self) -> str:
        return self.where.split("/")[0]

    @property
    def module(self) -> str:
        return self.where.split("/")[1].split(".")[0]

    def __str__(self) -> str:
        again = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.where}{again}\n    - {self.before}\n    + {self.after}"


class _WithoutTypes(ast.NodeTransformer):
    """Takes the annotations away: an edit of a type changes nothing that runs.

    In a class they say which fields a dataclass has, so they stay there, as text.
    """

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        for field_ in node.body:
            if isinstance(field_, ast.AnnAssign):
                field_.annotation = ast.Constant(ast.unparse(field_.annotation))
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.annotation, ast.Constant):
            return node
        return ast.Assign([node.target], node.value) if node.value else ast.Pass()


def edits_of_module(name: str, source: str) -> Iterator[Edit]:
    """Every edit of one module; a line is a whole statement, however it is wrapped."""
    tree = ast.fix_missing_locations(_WithoutTypes().visit(ast.parse(source)))
    parts = [ast.unparse(statement) for statement in tree.body]
    seen: Counter[tuple[str, str, str]] = Counter()
    for index, part in enumerate(parts):
        lines, blocks = part.split("\n"), list(_blocks(ast.parse(part), name))
        for _, edited in mutations(part, edits_of_library):
            pairs = enumerate(zip(lines, edited.split("\n"), strict=True), start=1)
            changed = [(number, pair) for number, pair in pairs if pair[0] != pair[1]]
            if not changed:  # two equal ones were exchanged
                continue
            [(number, (before, after))] = changed
            where = [block for block, first, last in blocks if first <= number <= last][-1]
            key = (where, before.strip(), after.strip())
            seen[key] += 1
            yield Edit(*key, seen[key], "\n".join([*parts[:index], edited, *parts[index + 1 :]]))


def _blocks(node: ast.AST, name: str) -> Iterator[tuple[str, int, int]]:
    """(name, first line, last line) of the module and of what it defines, outer ones first."""
    first, last = getattr(node, "lineno", 1), getattr(node, "end_lineno", sys.maxsize)
    yield name, first, last
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef):
            yield from _blocks(child, f"{name}.{child.name}")


def all_edits(root: Path, rooms: dict[str, Room] = ROOMS) -> list[Edit]:
    return [
        edit
        for name, room in rooms.items()
        for path in room.modules(root)
        for edit in edits_of_module(f"{name}/{path.stem}", path.read_text(encoding="utf-8"))
    ]


def chosen(edits: list[Edit], count: int, seed: int) -> list[Edit]:
    """``count`` edits, as many of each room, decided by the seed.

    A change of the library moves few of them. The rooms take turns, since how large one is does
    not say how much depends on it.
    """

    def rank(edit: Edit) -> str:
        return hashlib.sha256(f"{seed}\n{edit.nth}\n{edit}".encode()).hexdigest()

    turns: Counter[str] = Counter()
    ranked = []
    for edit in sorted(edits, key=rank):
        ranked.append((turns[edit.room], edit))
        turns[edit.room] += 1
    return [edit for _, edit in sorted(ranked, key=lambda pair: pair[0])[:count]]


@functools.cache
def _graph(package: Path) -> dict[str, set[str]]:
    modules = modules_in(package)
    return {name: imports_of(name, path, modules) for name, path in modules.items()}


def files_that_must_notice(path: Path, room: Room, root: Path) -> list[list[Path]]:
    """The test files of a room: those that name the module or what it defines, those that use it
    by way of other modules, and the rest. Those that name the most stand first.
    """
    module, package = name_of(path, root), root / room.code.partition("/")[0]
    graph, modules = _graph(package), modules_in(package)
    defined = ast.parse(path.read_text(encoding="utf-8")).body
    names = {node.name for node in defined if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    named: list[tuple[int, Path]] = []
    others: dict[bool, list[Path]] = {True: [], False: []}  # by whether they reach the module
    for file in sorted((root / room.tests).rglob("test_*.py")):
        words = Counter(re.findall(r"\w+", file.read_text(encoding="utf-8")))
        imported = imports_of(name_of(file, root), file, modules)
        if times := sum(words[name] for name in names) + (module in imported):
            named.append((-times, file))
        else:
            others[any(module in reached_from(name, graph) for name in imported)].append(file)
    groups = [[file for _, file in sorted(named)], others[True], others[False]]
    return [group for group in groups if group]


def equivalent_mutants(path: Path = EQUIVALENT_MUTANTS) -> dict[Edit, str]:
    """The edits that change nothing, with the reason."""
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["edit"]
    return {
        Edit(entry["where"], entry["before"], entry["after"], entry.get("nth", 1), ""): entry["why"]
        for entry in entries
    }


# Every run is a new process, forked from one that has imported what takes long (see main).
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tools.checks.mutants", "pytest"])


class _Failures:
    """A plugin that notes which tests failed, or could not begin, and seeds each as conftest does.

    That one is left out, since it also imports what only notebooks need.
    """

    def __init__(self) -> None:
        self.found: list[str] = []

    def pytest_runtest_setup(self) -> None:
        if torch := sys.modules.get("torch"):
            torch.manual_seed(0)

    def pytest_runtest_logreport(self, report) -> None:
        if report.failed:
            self.found.append(report.nodeid)


def _run_tests(folder: Path, tests: list[list[Path]], out: Path, options: list[str]) -> NoReturn:
    """Run pytest in ``folder``, mute, on one group of files after the other, until one fails.

    The tests that failed are written to the file ``out``.
    """
    os.setsid()  # so that it can be ended with all that it starts
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    os.chdir(folder)
    # What was imported to come here belongs to the course that is not edited.
    for name in [name for name in sys.modules if name.split(".")[0] == "tools"]:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    # Compiled files are told apart by the second in which they were written: too coarse here.
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.dont_write_bytecode = True
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    import pytest

    command = ["-q", "-p", "no:cacheprovider", "--override-ini", "addopts=", *options]
    command += ["--rootdir", str(folder), "--confcutdir", str(tests[0][0].parent)]
    command += ["-m", "not nightly"]
    failures = _Failures()
    code = 0
    for paths in tests:
        code = int(pytest.main([*command, *map(str, paths)], plugins=[failures]))
        if code not in (0, 5):  # 5: it has no tests but those that are left out
            break
    out.write_text(json.dumps(failures.found))
    sys.exit(0 if code == 5 else code)


class Workshop:
    """A copy of the course in which edits are made and tried, one at a time."""

    def __init__(self, folder: Path, root: Path = ROOT, rooms: dict[str, Room] = ROOMS) -> None:
        self.folder, self.rooms = folder, rooms
        # Known of the course unedited: tests that fail, and seconds that those of a room take.
        self.left_out, self.seconds = list[str](), dict[str, float]()
        names = ["git", "-C", str(root), "ls-files", "-z", "-co", "--exclude-standard"]
        for name in subprocess.check_output(names, text=True).split("\0"):
            if (root / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, folder / name)

    def is_noticed(self, room: str, module: str, source: str) -> bool:
        """Whether one of the room's tests fails when the module reads ``source``."""
        path = self.folder / self.rooms[room].code / f"{module}.py"
        tests = files_that_must_notice(path, self.rooms[room], self.folder)
        kept = path.read_text(encoding="utf-8")
        path.write_text(source, encoding="utf-8")
        try:
            options = ["-x", *(f"--deselect={name}" for name in self.left_out)]
            limit = TIME_LIMIT + self.seconds.get(room, 0)
            return self._failures(tests, options, limit) is not None
        finally:
            path.write_text(kept, encoding="utf-8")

    def _failures(
        self, tests: list[list[Path]], options: list[str], limit: float | None = None
    ) -> list[str] | None:
        """The tests that failed, or None where all passed; of an endless run, none are known."""
        out = self.folder.with_suffix(".failures")
        process = FORKS.Process(target=_run_tests, args=(self.folder, tests, out, options))
        process.start()
        process.join(limit)
        if process.pid and process.is_alive():
            os.killpg(process.pid, signal.SIGKILL)
            process.join()
            return []
        if process.exitcode not in (0, 1, 2, 4):  # 2, 4: not even imported, the tests or conftest
            raise RuntimeError(f"pytest ended with {process.exitcode} in {self.folder}")
        return json.loads(out.read_text()) if process.exitcode else None

    def check(self, edits: Iterable[Edit]) -> None:
        """Try the rooms of these edits before anything is edited.

        What fails then could notice nothing, and is left out; it is said what that is. Rooms in
        which nothing is left, or whose tests do not look at the copy, are refused.
        """
        for room, module in {edit.room: edit.module for edit in edits}.items():
            files = sorted((self.folder / self.rooms[room].tests).rglob("test_*.py"))
            begun = time.monotonic()
            failed = self._failures([files], [])
            self.seconds[room] = time.monotonic() - begun
            if failed == []:
                raise SystemExit(f"The tests of {room} do not run before anything is edited.")
            for name in failed or []:
                print(f"Fails before anything is edited, and is left out: {name}", flush=True)
            self.left_out += failed or []
            if not self.is_noticed(room, module, "raise RuntimeError"):
                raise SystemExit(f"The tests of {room} do not import the copy that is edited.")


def unnoticed(edits: list[Edit], workshops: list[Workshop]) -> list[Edit]:
    """The edits that no test notices; one is tried in each workshop at a time."""
    free: queue.Queue[Workshop] = queue.Queue()
    for workshop in workshops:
        free.put(workshop)

    def survives(edit: Edit) -> bool:
        workshop = free.get()
        try:
            return not workshop.is_noticed(edit.room, edit.module, edit.source)
        finally:
            free.put(workshop)

    survivors = []
    with ThreadPoolExecutor(len(workshops)) as pool:
        waiting = {pool.submit(survives, edit): edit for edit in edits}
        for done, future in enumerate(as_completed(waiting), start=1):
            if future.result():
                survivors.append(waiting[future])
                print(f"\nNot noticed: {waiting[future]}", flush=True)
            print(f"\r{done} of {len(edits)}", end="", flush=True)
    print()
    return [edit for edit in edits if edit in survivors]


def verdict(
    edits: list[Edit], survivors: list[Edit], reasons: Collection[Edit]
) -> tuple[list[Edit], list[Edit]]:
    """(the edits that lack a test, those whose entry in the list is wrong)."""
    missing = [edit for edit in survivors if edit not in reasons]
    needless = [edit for edit in edits if edit in reasons and edit not in survivors]
    return missing, needless


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", default="100", help="how many edits; all, or listed")
    parser.add_argument("--seed", type=int, default=0, help="decides which")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--room", choices=ROOMS, action="append", help="this one alone")
    options = parser.parse_args()
    rooms = {name: ROOMS[name] for name in options.room or ROOMS}
    possible, reasons = all_edits(ROOT, rooms), equivalent_mutants()
    if options.count == "listed":
        edits = [edit for edit in possible if edit in reasons]
    elif options.count == "all":
        edits = possible
    else:
        edits = chosen(possible, int(options.count), options.seed)
    os.environ["OMP_NUM_THREADS"] = "1"
    FORKS.set_forkserver_preload(["__main__", "torch", "torch._dynamo", "pytest", "hypothesis"])
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        workshops = [Workshop(Path(folder) / str(job)) for job in range(options.jobs)]
        workshops[0].check(edits)
        for workshop in workshops:
            workshop.left_out, workshop.seconds = workshops[0].left_out, workshops[0].seconds
        survivors = unnoticed(edits, workshops)
    missing, needless = verdict(edits, survivors, reasons)
    for room in rooms:
        drawn, alive = ([edit for edit in part if edit.room == room] for part in (edits, survivors))
        print(f"{room}: {len(drawn) - len(alive)} of {len(drawn)} noticed")
    print(
        f"{len(edits)} of {len(possible)} edits: {len(edits) - len(survivors)} noticed, "
        f"{len(survivors) - len(missing)} the same program, {len(missing)} without a test."
    )
    for edit in needless:
        print(
            f"{EQUIVALENT_MUTANTS.name} calls this the same program, and a test notices it: {edit}"
        )
    for edit in missing:
        print(f"Write a test, or say in {EQUIVALENT_MUTANTS.name} why nothing changes: {edit}")
    if missing or needless:
        sys.exit(1)


if __name__ == "__main__":
    main()
