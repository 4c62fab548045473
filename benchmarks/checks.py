"""How often a check catches a wrong answer, names its mistake rightly, or refuses a right one.

`make bench-checks` (FOLDER=tests/answers by default). A folder of answers holds EXERCISE/ANY.py:
one answer each, as a student writes it, which defines the exercise's function and imports what it
needs. Its first lines say what it is:

    # right

    # wrong: softmax over the queries instead of the keys
    # named: over_queries

The second line gives the diagnoses that are true of this code (several: `a | b`). Without it every
name is a wrong one. Each answer is judged with several seeds. It counts as caught, or as named,
where it is so with all of them; as named wrongly, or as refused, where it is so with one.
"""

import argparse
import importlib.util
import os
import re
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # before torch: the processes share the cores

import torch  # noqa: E402

from course_lib import checks  # noqa: E402

ANSWERS = Path(__file__).parents[1] / "tests" / "answers"
COLUMNS = ("wrong", "caught", "named", "named wrongly", "right", "refused")


@dataclass(frozen=True)
class Answer:
    """One file: what it says of itself. ``names`` are the diagnoses that are true of it."""

    path: Path
    is_right: bool
    names: frozenset[str]

    @property
    def exercise(self) -> str:
        return self.path.parent.name


@dataclass(frozen=True)
class Verdict:
    """What the check said with one seed."""

    seed: int
    passed: bool
    diagnosis: str
    text: str

    @property
    def names(self) -> frozenset[str]:
        """One name, two where the check says "either ... or ...", or none."""
        return frozenset(self.diagnosis.split(" | ")) if self.diagnosis else frozenset()


def read_answers(folder: Path) -> list[Answer]:
    """Every answer in ``folder``; a file that does not say what it is ends the program."""
    paths = sorted(folder.glob("*/*.py"))
    if not paths:
        sys.exit(f"No answers in {folder}: they should be {folder}/EXERCISE/ANY.py.")
    return [_read_answer(path) for path in paths]


def _read_answer(path: Path) -> Answer:
    if path.parent.name not in checks.ALL:
        sys.exit(f"{path}: there is no exercise {path.parent.name!r}.")
    first, second, *_ = [*path.read_text(encoding="utf-8").splitlines(), "", ""]
    if not (first == "# right" or re.match(r"# wrong: \S", first)):
        sys.exit(f"{path}: the first line should be '# right' or '# wrong: what'. It is {first!r}.")
    names = frozenset()
    if second.startswith("# named:"):
        names = frozenset(name.strip() for name in second.removeprefix("# named:").split("|"))
    return Answer(path, first == "# right", names)


def judge(path: Path, seeds: int) -> list[Verdict]:
    """Run the check of the exercise on the answer, which is loaded anew for each seed."""
    torch.set_num_threads(1)
    name = path.parent.name
    verdicts = []
    for seed in range(seeds):
        spec = importlib.util.spec_from_file_location("answer", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if not hasattr(module, name):
            raise ValueError(f"{path} does not define {name}")
        result = checks.ALL[name](getattr(module, name), seed=seed)
        text = " ".join(result.message)
        verdicts.append(Verdict(seed, result.status == "pass", result.diagnosis or "", text))
    return verdicts


def faults(answer: Answer, verdicts: Iterable[Verdict]) -> dict[str, list[Verdict]]:
    """The verdicts that are not as they should be, by what is wrong with them."""
    found = {"not caught": [], "named wrongly": [], "not named": [], "refused": []}
    for verdict in verdicts:
        if answer.is_right:
            kind = "" if verdict.passed else "refused"
        elif verdict.passed:
            kind = "not caught"
        elif verdict.names and not verdict.names & answer.names:
            kind = "named wrongly"
        else:
            kind = "" if verdict.names else "not named"
        if kind:
            found[kind].append(verdict)
    return found


def count(answer: Answer, found: dict[str, list[Verdict]]) -> dict[str, int]:
    """1 in each column in which the answer counts, else 0."""
    wrong, caught = not answer.is_right, not found["not caught"]
    return {
        "wrong": wrong,
        "caught": wrong and caught,
        "named": wrong and caught and not found["not named"] and not found["named wrongly"],
        "named wrongly": bool(found["named wrongly"]),
        "right": answer.is_right,
        "refused": bool(found["refused"]),
    }


def table(counts: dict[str, dict[str, int]]) -> str:
    """A line for each exercise and one for all of them."""
    total = {column: sum(row[column] for row in counts.values()) for column in COLUMNS}
    width = max(map(len, [*counts, "exercise"]))
    lines = [" ".join(["exercise".ljust(width), *COLUMNS])]
    for name, row in [*counts.items(), ("total", total)]:
        cells = [str(row[column]).rjust(len(column)) for column in COLUMNS]
        lines.append(" ".join([name.ljust(width), *cells]))
    shares = [
        f"{100 * total[part] / total[whole]:.1f}% {part}"
        for part, whole in zip(COLUMNS[1:4] + COLUMNS[5:], ["wrong"] * 3 + ["right"], strict=True)
        if total[whole]
    ]
    return "\n".join([*lines, ", ".join(shares)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ANSWERS)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()

    answers = read_answers(options.folder)
    with ProcessPoolExecutor() as pool:
        paths = [answer.path for answer in answers]
        judged = list(pool.map(judge, paths, [options.seeds] * len(paths)))

    counts: dict[str, dict[str, int]] = {}
    is_bad = False
    for answer, verdicts in zip(answers, judged, strict=True):
        found = faults(answer, verdicts)
        row = counts.setdefault(answer.exercise, dict.fromkeys(COLUMNS, 0))
        for column, value in count(answer, found).items():
            row[column] += value
        for kind, misses in found.items():
            if kind == "not named" and not answer.names:  # this file expects no name
                continue
            is_bad = is_bad or (bool(misses) and kind != "not named")
            for miss in misses[:1]:
                seeds = " ".join(str(each.seed) for each in misses)
                said = f"[{miss.diagnosis}] " if miss.diagnosis else ""
                print(f"{kind}: {answer.path}, seed {seeds}\n    {said}{miss.text}")
    print(table(counts))
    return int(is_bad)


if __name__ == "__main__":
    sys.exit(main())
