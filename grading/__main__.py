"""`python -m grading assignment | grade | gradescope | alone`: see `make help`."""

import argparse
import functools
import logging
import sys
import tempfile
from pathlib import Path

from grading import late
from grading.all_grades import write_all_grades
from grading.alone import grade_alone, write_gradescope
from grading.by_hand import find_exercise
from grading.by_hand import path_of as by_hand_path
from grading.changes import TABLE as CHANGES
from grading.class_page import PAGE, write_class_page
from grading.cluster import connect, workers_of_machine
from grading.feedback import exercise_names
from grading.release import Release, make_release, write_zip
from grading.report import TO_GRADE, merge
from grading.roster import (
    FEEDBACK,
    GRADES,
    STUDENTS,
    Roster,
    other_maxima,
    read_roster,
    write_roster_tables,
)
from grading.run import grade_all
from grading.sandbox import Limits, NoSandbox
from grading.submissions import entries_in_inbox

INTERRUPTED = 130  # what a shell calls a program that Ctrl-C ended
WARNING = "NOT SANDBOXED: submissions run as you, with your files and your network."


def main(arguments: list[str] | None = None) -> int:
    chosen = _parser().parse_args(arguments)
    logging.getLogger("traitlets").setLevel(logging.ERROR)
    try:
        return chosen.command(chosen)
    except (NoSandbox, ValueError, ConnectionError) as problem:
        print(problem, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="grading")
    commands = parser.add_subparsers(required=True)
    for name, command, text in (
        ("assignment", _assignment, "write the zip file that students get"),
        ("grade", _grade, "grade a folder of submissions"),
        ("gradescope", _gradescope, "write the zip file of an autograder for Gradescope"),
        ("alone", _alone, "grade one submission, a folder, on a machine that is for it alone"),
    ):
        sub = commands.add_parser(name, help=text)
        sub.set_defaults(command=command)
        sub.add_argument("name", help="the assignment, such as 02_single_head")
        sub.add_argument("--out", type=Path, help="where to write (default: below build/)")
        if name in ("grade", "alone"):
            sub.add_argument("submissions", type=Path)
        if name == "grade":
            sub.add_argument("--exercise", help="judge this one again; all other points stay")
            sub.add_argument("--roster", type=Path, help="the class list, a CSV file")
            sub.add_argument("--seed", type=int)
            sub.add_argument("--cell-seconds", type=int, default=Limits.cell_seconds)
            sub.add_argument("--submission-seconds", type=int, default=Limits.submission_seconds)
            sub.add_argument("--sandbox", choices=("bwrap", "none"), default="bwrap")
            sub.add_argument("--workers", type=int, default=workers_of_machine())
            sub.add_argument("--scheduler", help="tls://HOST:8786, for many machines")
            sub.add_argument("--tls", type=Path, help="the folder of their certificate")
    return parser


def _assignment(chosen: argparse.Namespace) -> int:
    path = chosen.out or Path("build", "assignments", f"{chosen.name}.zip")
    points = write_zip(chosen.name, path)
    print(f"{path}: {points:g} points, which is the maximum grade to set on a learning platform")
    return 0


def _gradescope(chosen: argparse.Namespace) -> int:
    path = chosen.out or Path("build", "gradescope", f"{chosen.name}.zip")
    write_gradescope(chosen.name, path)
    print(f"{path}: upload it as the autograder of a programming assignment")
    return 0


def _alone(chosen: argparse.Namespace) -> int:
    for line in grade_alone(chosen.name, chosen.submissions, chosen.out or Path("results")):
        print(f"to review: {line}")
    return 0


def _grade(chosen: argparse.Namespace) -> int:
    root = chosen.out or Path("build", "grades", chosen.name)
    sandbox = chosen.sandbox == "bwrap"
    if not sandbox:
        print(WARNING, file=sys.stderr)
    roster = read_roster(chosen.roster) if chosen.roster else None
    with tempfile.TemporaryDirectory(prefix="release-") as workplace:
        release = make_release(chosen.name, Path(workplace))
        rule = late.read_rule(late.path_of(root), release.name)
        names = exercise_names(release.notebook)
        ended = 0
        try:
            grade_all(
                release,
                chosen.submissions,
                root,
                functools.partial(connect, chosen.scheduler, chosen.tls, chosen.workers),
                sandbox=sandbox,
                seed=chosen.seed,
                limits=Limits(chosen.cell_seconds, chosen.submission_seconds),
                pairs=rule.pairs if rule else (),
                only=find_exercise(names, chosen.exercise) if chosen.exercise else "",
            )
        except KeyboardInterrupt:
            ended = INTERRUPTED
            print("\nStopped; the same command goes on with the others.", file=sys.stderr)
        except ConnectionError as problem:
            ended = 2
            print(f"\n{problem}", file=sys.stderr)
        if (root / "inbox.csv").exists():
            _report(root, release, "" if sandbox else "NOT SANDBOXED ", roster)
    return ended


def _report(root: Path, release: Release, mark: str, roster: Roster | None) -> None:
    results = merge(root, release, roster)
    write_class_page(root, release, results)
    review = sum(bool(result.review or result.by_hand) for result in results)
    lines = [f"{len(results)} graded, {review} to review: {root}/scores.csv, {root}/review.csv"]
    lines.append(f"the class at a glance: {root}/{PAGE}")
    lines.append(f"all assignments so far: {write_all_grades(root.parent)}")
    if (root / CHANGES).exists():
        lines.append(f"whose points another run changed, and why: {root}/{CHANGES}")
    if rule := late.read_rule(late.path_of(root), release.name):
        lines.append(late.in_a_line(rule, [result.late for result in results]))
        if nobody := rule.strangers([result.student for result in results]):
            lines.append(f"{late.path_of(root)} names who handed in nothing: {', '.join(nobody)}")
    if roster:
        names, entries = exercise_names(release.notebook), entries_in_inbox(root)
        held_back = late.read_held_back(late.path_of(root))
        missing, strangers = write_roster_tables(
            root, roster, release.name, results, entries, names, held_back
        )
        if held_back:
            lines.append(f"held back, and in neither of the two: {', '.join(held_back)}")
        lines.append(
            f"{missing} of the roster handed in nothing, {strangers} are not in it: "
            f"{root}/{STUDENTS}; to upload: {root}/{GRADES}, {root}/{FEEDBACK}"
        )
        most = sum(release.points.values())
        if others := other_maxima(roster, release.name, most):
            lines.append(
                f"The platform's maximum is {' and '.join(others)}, and the assignment has "
                f"{most:g} points: set it to {most:g} there before you upload."
            )
    if waiting := sum(len(result.by_hand) for result in results):
        lines.append(f"{waiting} answers to grade by hand: {root}/{TO_GRADE}")
    lines.append(f"points and comments by hand: {by_hand_path(root)}, then the same command")
    print("\n".join(mark + line for line in lines))


if __name__ == "__main__":
    sys.exit(main())
