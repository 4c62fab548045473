"""`python -m grading.serve keys | scheduler | worker`: many machines, besides `make grade`.

Apart from `python -m grading`, since a scheduler needs neither nbgrader nor torch.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from grading.cluster import run_scheduler, run_workers, workers_of_machine, write_keys
from grading.sandbox import Limits, NoSandbox, require


def main(arguments: list[str] | None = None) -> int:
    chosen = _parser().parse_args(arguments)
    try:
        chosen.command(chosen)
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m grading.serve")
    commands = parser.add_subparsers(required=True)
    for name, command, text in (
        ("keys", _keys, "make the certificate of a scheduler, its workers and clients"),
        ("scheduler", _scheduler, "serve as the scheduler of many machines"),
        ("worker", _worker, "serve as workers of a scheduler"),
    ):
        sub = commands.add_parser(name, help=text)
        sub.set_defaults(command=command)
        sub.add_argument("--tls", type=Path, help="the folder of the certificate")
        if name == "scheduler":
            sub.add_argument("--host", default="0.0.0.0")
            sub.add_argument("--port", type=int, default=8786)
        if name == "worker":
            sub.add_argument("--scheduler", required=True, help="tls://HOST:8786")
            sub.add_argument("--workers", type=int, default=workers_of_machine())
    return parser


def _keys(chosen: argparse.Namespace) -> None:
    if chosen.tls is None:
        raise ValueError("Which folder? make grade-keys TLS=folder")
    write_keys(chosen.tls)
    print(f"{chosen.tls}: copy it to every machine of the cluster, and to nobody else.")


def _scheduler(chosen: argparse.Namespace) -> None:
    run_scheduler(chosen.host, chosen.port, chosen.tls)


def _worker(chosen: argparse.Namespace) -> None:
    try:
        with tempfile.TemporaryDirectory(prefix="k-") as folder:
            require(Limits(), Path(folder))
        print("The sandbox works here.", file=sys.stderr)
    except NoSandbox as problem:
        print(f"Only runs with SANDBOX=none can use this machine. {problem}", file=sys.stderr)
    run_workers(chosen.scheduler, chosen.workers, chosen.tls)


if __name__ == "__main__":
    sys.exit(main())
