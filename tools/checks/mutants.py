"""Edit the library in small ways and see whether its tests notice: make mutants N=100 SEED=0.

Each edit is made in a copy of the package, and the tests of the edited module run on that copy. An
edit that no test notices is either a missing test or the same program in other words. The second
kind is listed in equivalent_mutants.toml with the reason. An entry there is found again by the
function it is in and by the line before and after the edit, so that it does not mind where the line
stands.
"""

import argparse
import ast
import hashlib
import multiprocessing
import os
import queue
import shutil
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from tools.checks.edits_of_source import edits_of_library, mutations
from tools.notebooks.notebook_files import ROOT

EQUIVALENT_MUTANTS = Path(__file__).with_name("equivalent_mutants.toml")
TIME_LIMIT = 300  # seconds for the tests of one edit; an edit may make a loop endless

# The modules that are edited, and the tests that must notice.
TESTS_OF = {
    "attention/scaled_dot_product": ("test_meta_device", "test_attention", "test_multi_head"),
    "attention/multi_head": ("test_meta_device", "test_attention", "test_multi_head", "test_cache"),
    "model/beams": ("test_encoder_decoder",),
    "attention/cache": ("test_meta_device", "test_cache", "test_transformer"),
    "study/circuits": ("test_circuits",),
    "model/conversion": ("test_meta_device", "test_multi_head", "test_transformer"),
    "model/encoder_decoder": ("test_meta_device", "test_encoder_decoder"),
    "model/feed_forward": ("test_meta_device", "test_transformer"),
    "study/heads": ("test_heads",),
    "model/language_model": ("test_meta_device", "test_transformer"),
    "attention/masks": ("test_meta_device", "test_masks", "test_attention"),
    "attention/positions": ("test_meta_device", "test_positions", "test_transformer"),
    "model/pretrained": ("test_pretrained",),
    "model/block": ("test_meta_device", "test_transformer", "test_encoder_decoder"),
}
# What takes seconds and has nothing to do with what an edit changes.
LEFT_OUT = (
    "test_torch_compile_captures_one_graph_with_the_same_numbers",
    "test_importing_the_package_imports_no_plotting_and_no_widgets",
)
COPIED = ("course_lib", "tests", "tools", "pyproject.toml")


@dataclass(frozen=True)
class Edit:
    """One edit: the function that it is in, its line before and after. ``nth`` of equal ones."""

    where: str
    before: str
    after: str
    nth: int
    source: str = field(repr=False, compare=False)

    @property
    def module(self) -> str:
        return self.where.split(".")[0]

    def __str__(self) -> str:
        again = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.where}{again}\n    - {self.before}\n    + {self.after}"


class _WithoutTypes(ast.NodeTransformer):
    """Takes the annotations away: an edit of a type changes nothing that runs."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value)


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


def all_edits(package: Path, modules: Iterable[str]) -> list[Edit]:
    sources = {name: (package / f"{name}.py").read_text(encoding="utf-8") for name in modules}
    return [edit for name, source in sources.items() for edit in edits_of_module(name, source)]


def chosen(edits: list[Edit], count: int, seed: int) -> list[Edit]:
    """``count`` edits, decided by the seed; a change of the library moves few of them."""

    def rank(edit: Edit) -> str:
        return hashlib.sha256(f"{seed}\n{edit.nth}\n{edit}".encode()).hexdigest()

    return sorted(edits, key=rank)[:count]


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


def _run_tests(folder: Path, tests: list[str]) -> NoReturn:
    """Run pytest in ``folder``, mute, and exit with its code."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    # Compiled files are told apart by the second in which they were written: too coarse here.
    sys.dont_write_bytecode = True
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    import pytest

    command = ["-x", "-q", "--noconftest", "-p", "no:cacheprovider", "--override-ini", "addopts="]
    command += ["-k", " and ".join(f"not {name}" for name in LEFT_OUT)]
    paths = [str(path) for name in tests for path in Path("tests").rglob(f"{name}.py")]
    sys.exit(int(pytest.main([*command, *paths])))


class Workshop:
    """A copy of the package and its tests in which edits are made and tried, one at a time."""

    def __init__(self, folder: Path, root: Path = ROOT, copied: Iterable[str] = COPIED) -> None:
        self.folder = folder
        skipped = shutil.ignore_patterns("__pycache__", "node_modules", ".*_cache")
        for name in copied:
            if (root / name).is_dir():
                shutil.copytree(root / name, folder / name, ignore=skipped)
            else:
                shutil.copy2(root / name, folder / name)

    def is_noticed(self, module: str, source: str, tests: Iterable[str]) -> bool:
        """Whether one of the ``tests`` fails when the module reads ``source``."""
        path = self.folder / "course_lib" / f"{module}.py"
        kept = path.read_text(encoding="utf-8")
        path.write_text(source, encoding="utf-8")
        try:
            return self._fails(tests)
        finally:
            path.write_text(kept, encoding="utf-8")

    def _fails(self, tests: Iterable[str]) -> bool:
        process = FORKS.Process(target=_run_tests, args=(self.folder, list(tests)))
        process.start()
        process.join(TIME_LIMIT)
        if process.is_alive():
            process.kill()
            process.join()
            return True
        if process.exitcode not in (0, 1, 2):  # 2: the tests could not even be imported
            raise RuntimeError(f"pytest ended with {process.exitcode} in {self.folder}")
        return process.exitcode != 0

    def check(self, tests_of: dict[str, tuple[str, ...]]) -> None:
        """Refuse to begin where the tests fail by themselves, or do not look at the copy."""
        if self._fails(sorted({name for names in tests_of.values() for name in names})):
            raise SystemExit("The tests fail before anything is edited.")
        module, tests = next(iter(tests_of.items()))
        if not self.is_noticed(module, "raise RuntimeError", tests):
            raise SystemExit(f"The tests of {module} do not import the copy that is edited.")


def unnoticed(
    edits: list[Edit], tests_of: dict[str, tuple[str, ...]], workshops: list[Workshop]
) -> list[Edit]:
    """The edits that no test notices; one is tried in each workshop at a time."""
    free: queue.Queue[Workshop] = queue.Queue()
    for workshop in workshops:
        free.put(workshop)

    def survives(edit: Edit) -> bool:
        workshop = free.get()
        try:
            return not workshop.is_noticed(edit.module, edit.source, tests_of[edit.module])
        finally:
            free.put(workshop)

    found = []
    with ThreadPoolExecutor(len(workshops)) as pool:
        waiting = {pool.submit(survives, edit): edit for edit in edits}
        for done, future in enumerate(as_completed(waiting), start=1):
            if future.result():
                found.append(waiting[future])
                print(f"\nNot noticed: {waiting[future]}", flush=True)
            print(f"\r{done} of {len(edits)}", end="", flush=True)
    print()
    return [edit for edit in edits if edit in found]


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
    parser.add_argument("--module", choices=TESTS_OF, help="this one alone")
    options = parser.parse_args()
    modules = [options.module] if options.module else list(TESTS_OF)
    possible, reasons = all_edits(ROOT / "course_lib", modules), equivalent_mutants()
    if options.count == "listed":
        edits = [edit for edit in possible if edit in reasons]
    elif options.count == "all":
        edits = possible
    else:
        edits = chosen(possible, int(options.count), options.seed)
    os.environ["OMP_NUM_THREADS"] = "1"
    FORKS.set_forkserver_preload(["__main__", "torch", "torch._dynamo", "pytest", "hypothesis"])
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        workshops = []
        for job in range(options.jobs):
            (Path(folder) / str(job)).mkdir()
            workshops.append(Workshop(Path(folder) / str(job)))
        workshops[0].check(TESTS_OF)
        survivors = unnoticed(edits, TESTS_OF, workshops)
    missing, needless = verdict(edits, survivors, reasons)
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
