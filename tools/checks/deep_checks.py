"""Try exercises with many seeds: make deep X="names or topics" SEEDS=50 START=0.

`make test` tries what must hold of each exercise with one seed, this with as many as you like. It
tells what fails, and writes the first seed of each failure into tests/exercises/examples.toml. What
stands there is tried by `make test` for ever: commit it together with what mends it.
"""

import argparse
import os
import sys
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # before torch: the processes share the cores

from tools.checks.exercise_sources import EXERCISES, TOPIC_OF, TOPICS  # noqa: E402
from tools.checks.what_must_hold import subjects, what_fails  # noqa: E402
from tools.notebooks.notebook_files import ROOT  # noqa: E402

EXAMPLES = ROOT / "tests" / "exercises" / "examples.toml"

Example = tuple[str, str, int]  # exercise, subject, seed


def examples(file: Path = EXAMPLES) -> list[Example]:
    rows = tomllib.loads(file.read_text(encoding="utf-8")).get("example", [])
    return [(row["exercise"], row["subject"], row["seed"]) for row in rows]


def add_examples(failures: Iterable[Example], file: Path = EXAMPLES) -> list[Example]:
    """Write the first seed of each exercise and subject, unless it is there; return these."""
    firsts: dict[tuple[str, str], int] = {}
    for exercise, subject, seed in failures:
        firsts.setdefault((exercise, subject), seed)
    known = examples(file)
    new = [(*key, seed) for key, seed in firsts.items() if (*key, seed) not in known]
    with file.open("a", encoding="utf-8") as written:
        for exercise, subject, seed in new:
            written.write(
                f'\n[[example]]\nexercise = "{exercise}"\nsubject = "{subject}"\nseed = {seed}\n'
            )
    return new


def failures_of(exercise: str, seed: int) -> Iterator[tuple[Example, str]]:
    """Each subject of which something does not hold with this seed, and what that is."""
    for subject in subjects(exercise):
        try:
            text = what_fails(exercise, subject, seed)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
        if text:
            yield (exercise, subject, seed), text


def _try_one(task: tuple[str, int]) -> list[tuple[Example, str]]:
    return list(failures_of(*task))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="exercises and topics; all when none is named")
    parser.add_argument("--seeds", type=int, default=50, help="how many")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    options = parser.parse_args()
    if unknown := set(options.names) - set(EXERCISES) - set(TOPICS):
        parser.error(f"{sorted(unknown)}: there are no such exercises or topics")
    wanted = set(options.names)
    names = [name for name in EXERCISES if not wanted or wanted & {name, TOPIC_OF[name]}]
    seeds = range(options.start, options.start + options.seeds)
    failures = []
    with ProcessPoolExecutor() as pool:
        for failures_of_one in pool.map(_try_one, product(names, seeds)):
            for example, text in failures_of_one:
                failures.append(example)
                print("{}, {}, seed {}:".format(*example), text, sep="\n", flush=True)
    new = add_examples(failures)
    print(
        f"{len(names)} exercises, seeds {seeds.start} to {seeds.stop - 1}: {len(failures)} failed"
    )
    if new:
        print(f"Written into {EXAMPLES.relative_to(ROOT)}, to be mended: {len(new)}")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
