"""How often a check catches a wrong answer, names its mistake rightly, or refuses a right one.

`make bench-checks` judges those that the course ships (or FOLDER=).
tools/checks/shipped_answers.py says how answers are written down: all of an exercise in one file,
or one loose file for each. Each answer is judged with several seeds. It counts as caught, or as
named, where it is so with all of them; as named wrongly, or as refused, where it is so with one.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # before torch: the processes share the cores

import torch  # noqa: E402

import course_checks as checks  # noqa: E402
from course_checks.judge.engine import Judge  # noqa: E402
from tools.checks.shipped_answers import (  # noqa: E402
    FOLDER,
    Answer,
    UnreadableAnswer,
    Verdict,
    faults,
    read_answers,
    verdicts_on,
)

COLUMNS = ("wrong", "caught", "named", "named wrongly", "right", "refused")


def judge_all(answers: list[Answer], seeds: int) -> tuple[list[list[Verdict]], float]:
    """The verdicts on answers to one exercise, and the seconds of processor time."""
    torch.set_num_threads(1)
    started = time.process_time()
    exercise = checks.ALL[answers[0].exercise].exercise
    judges = [Judge(exercise, seed) for seed in range(seeds)]
    return [verdicts_on(answer, judges) for answer in answers], time.process_time() - started


def count(answer: Answer, by_kind: dict[str, list[Verdict]]) -> dict[str, int]:
    """1 in each column in which the answer counts, else 0."""
    wrong, caught = not answer.is_right, not by_kind["not caught"]
    return {
        "wrong": wrong,
        "caught": wrong and caught,
        "named": wrong and caught and not by_kind["not named"] and not by_kind["named wrongly"],
        "named wrongly": bool(by_kind["named wrongly"]),
        "right": answer.is_right,
        "refused": bool(by_kind["refused"]),
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
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()

    try:
        answers = read_answers(options.folder)
    except UnreadableAnswer as problem:
        sys.exit(str(problem))
    answers.sort(key=lambda answer: (list(checks.ALL).index(answer.exercise), answer.name))
    groups = [list(group) for _, group in groupby(answers, key=lambda answer: answer.exercise)]
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(judge_all, groups, [options.seeds] * len(groups)))
    judged = [verdicts for of_exercise, _ in results for verdicts in of_exercise]

    counts: dict[str, dict[str, int]] = {}
    is_bad = False
    for answer, verdicts in zip(answers, judged, strict=True):
        by_kind = faults(answer, verdicts)
        row = counts.setdefault(answer.exercise, dict.fromkeys(COLUMNS, 0))
        for column, value in count(answer, by_kind).items():
            row[column] += value
        for kind, misses in by_kind.items():
            if kind == "not named" and not answer.label.must_be_named:
                continue
            is_bad = is_bad or (bool(misses) and kind != "not named")
            for miss in misses[:1]:
                seeds = " ".join(str(each.seed) for each in misses)
                diagnosis = f"[{miss.diagnosis}] " if miss.diagnosis else ""
                print(f"{kind}: {answer.path}, {answer.name}, seed {seeds}")
                print(f"    {diagnosis}{miss.message}")
    print(table(counts))
    print(f"{sum(seconds for _, seconds in results):.0f} s of processor time")
    return int(is_bad)


if __name__ == "__main__":
    sys.exit(main())
