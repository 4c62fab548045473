"""`make bench-checks` counts rightly, and fails where a check does."""

import os
import subprocess
import sys

from tools.notebooks.notebook_files import ROOT

HEAD = "import torch\n\n\ndef stable_softmax(scores):\n    "
RIGHT = HEAD + "return torch.softmax(scores, dim=-1)\n"
OVER_QUERIES = HEAD + "return torch.softmax(scores, dim=0)\n"
UNNAMED = HEAD + "return torch.softmax(scores, dim=-1) + 0.01\n"

CASES = [
    # (file, what the program says of it, the six counts)
    ("# right\n" + RIGHT, "", (0, 0, 0, 0, 1, 0)),
    ("# wrong: none\n" + RIGHT, "not caught: ", (1, 0, 0, 0, 0, 0)),
    ("# right\n" + UNNAMED, "refused: ", (0, 0, 0, 0, 1, 1)),
    ("# wrong: dim\n# named: wrong_dimension\n" + OVER_QUERIES, "", (1, 1, 1, 0, 0, 0)),
    ("# wrong: dim\n# named: naive | wrong_dimension\n" + OVER_QUERIES, "", (1, 1, 1, 0, 0, 0)),
    ("# wrong: dim\n# named: naive\n" + OVER_QUERIES, "named wrongly: ", (1, 1, 0, 1, 0, 0)),
    ("# wrong: dim\n" + OVER_QUERIES, "named wrongly: ", (1, 1, 0, 1, 0, 0)),
    ("# wrong: 0.01 too much\n" + UNNAMED, "", (1, 1, 0, 0, 0, 0)),
    ("# wrong: 0.01\n# named: naive\n" + UNNAMED, "not named: ", (1, 1, 0, 0, 0, 0)),
]


def run(folder):
    command = [sys.executable, str(ROOT / "benchmarks" / "checks.py"), str(folder), "--seeds", "2"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)


def write(folder, index, source):
    path = folder / "stable_softmax" / f"answer{index}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    return path


def counts_in(output):
    (line,) = (line for line in output.splitlines() if line.startswith("total "))
    return tuple(map(int, line.split()[1:]))


def test_each_kind_of_answer_is_counted_and_told(tmp_path):
    paths = [write(tmp_path, index, source) for index, (source, *_) in enumerate(CASES)]
    done = run(tmp_path)
    for path, (_, said, _) in zip(paths, CASES, strict=True):
        line = f"{said}{path}, {path.stem}, seed 0 1\n"
        assert (line in done.stdout) == bool(said), done.stdout + done.stderr
        assert (path.name in done.stdout) == bool(said)
    sums = tuple(map(sum, zip(*(counts for *_, counts in CASES), strict=True)))
    assert counts_in(done.stdout) == sums and done.returncode == 1
    assert "85.7% caught, 28.6% named, 28.6% named wrongly, 50.0% refused" in done.stdout
