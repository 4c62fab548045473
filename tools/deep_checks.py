"""Test exercises with all their seeds and edits, and record that they passed: make deep X=NAME.

`make test` tries each check with few seeds. A deep run takes 50 (SEEDS= cuts them) and makes every
small edit of the solutions. It takes minutes, and its result can only change with what it rests on:
the exercise's module, the judge, the solution, and the tests themselves. So it is recorded in
tests/exercises/deep_record.json with a digest of all these, and a test asks for a new run where the
digest is another one. Only a run without a failure is recorded.
"""

import argparse
import hashlib
import json
import os
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from import_graph import imports_of, modules_in, reached_from
from notebook_files import ROOT, find_notebooks, is_solution_cell, read_notebook
from record import without_comments

RECORD = ROOT / "tests" / "exercises" / "deep_record.json"
DEEP_TESTS = ("test_marks", "test_edits", "test_handed_in", "test_names")
SUPPORT = ("sources", "remembered_trials", "shared_inputs", *DEEP_TESTS)
OF_TOPIC = ("right_answers", "handed_in", "edit_inputs")


class Snapshot:
    """The course's files at one moment, each of them read once."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.code = cache(lambda path: without_comments(path.read_text(encoding="utf-8")))
        self.modules = modules_in(root / "course_lib")
        self.graph = {
            name: imports_of(name, self.modules[name], self.modules) for name in self.modules
        }
        found = {
            path.stem: path.parent.name
            for path in (root / "course_lib" / "checks").glob("*/*.py")
            if "EXERCISE = " in path.read_text(encoding="utf-8")
        }
        self.topics = dict(sorted(found.items()))  # of each exercise
        cells = [
            cell.source
            for path in find_notebooks(root, ("solutions",))
            for cell in read_notebook(path).cells
            if is_solution_cell(cell)
        ]
        self.solutions = {
            name: next(source for source in cells if f"def {name}(" in source)
            for name in self.topics
        }

    def files_behind(self, name: str) -> list[Path]:
        """All Python files that decide how the deep run of this exercise ends."""
        topic, tests = self.topics[name], self.root / "tests"
        behind = reached_from(f"course_lib.checks.{topic}.{name}", self.graph)
        behind |= reached_from("course_lib.checks.judge.engine", self.graph)
        files = [self.modules[module] for module in behind]
        files += [self.root / "tools" / "edits_of_source.py"]
        files += [tests / "exercises" / f"{module}.py" for module in SUPPORT]
        files += [tests / "exercises" / topic / f"{module}.py" for module in OF_TOPIC]
        return sorted(files)

    def digest(self, name: str) -> str:
        """Of all that decides: names of the files, and code without comments and layout."""
        parts = [without_comments(self.solutions[name])]
        for path in self.files_behind(name):
            parts += [path.relative_to(self.root).as_posix(), self.code(path)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def digests(self) -> dict[str, str]:
        return {name: self.digest(name) for name in self.topics}


def stored() -> dict[str, dict]:
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def due() -> list[str]:
    """The exercises whose recorded run is not that of the files as they are."""
    rows = stored()
    digests = Snapshot().digests()
    return [name for name, digest in digests.items() if rows.get(name, {}).get("digest") != digest]


class Outcomes:
    """A plugin of pytest that counts, for each exercise, what passed and what did not."""

    def __init__(self) -> None:
        self.passed: Counter[str] = Counter()
        self.failed: set[str] = set()
        self.edits: dict[str, int] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        from nbval_strict import exercise_of  # pytest itself loads that module, and must be first

        name = exercise_of(report.nodeid)
        if name is None:
            return
        if report.when == "call" and report.passed:
            self.passed[name] += 1
            for key, value in report.user_properties:
                if key == "edits":
                    self.edits[name] = int(str(value))
        elif not report.passed:  # failed or skipped, in any phase
            self.failed.add(name)


def run(names: list[str], seeds: int) -> int:
    """Test these exercises deeply, and record those that passed."""
    before = Snapshot().digests()
    os.environ["COURSE_DEEP"] = ",".join(names)
    os.environ["COURSE_DEEP_SEEDS"] = str(seeds)
    outcomes = Outcomes()
    files = [f"tests/exercises/{module}.py" for module in DEEP_TESTS]
    processes = str(min(os.cpu_count() or 1, 4, len(names)))
    code = pytest.main(["-q", "-n", processes, *files], plugins=[outcomes])
    after = Snapshot().digests()
    rows = stored()
    for name in names:
        is_whole = outcomes.passed[name] and name in outcomes.edits and name not in outcomes.failed
        if is_whole and after[name] == before[name]:
            rows[name] = {
                "digest": after[name],
                "edits": outcomes.edits[name],
                "seeds": seeds,
                "tests": outcomes.passed[name],
            }
        else:
            rows.pop(name, None)
    rows = {name: rows[name] for name in after if name in rows}
    RECORD.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return int(code)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="all that are due, when none is named")
    parser.add_argument("--seeds", type=int, default=50, help="at most so many for each mistake")
    options = parser.parse_args()
    names = options.names
    if unknown := set(names) - set(Snapshot().topics):
        parser.error(f"{sorted(unknown)}: there are no such exercises")
    names = names or due()
    if not names:
        print("Every exercise was tested deeply as it is.")
        return 0
    return run(names, options.seeds)


if __name__ == "__main__":
    sys.exit(main())
