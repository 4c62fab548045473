"""README: short, and true."""

import re

import course_checks as checks
from tools.notebooks.notebook_files import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_readme_is_short():
    assert len(README.encode()) < 12_500


def test_the_taste_runs_as_written_and_says_what_the_check_says(capsys):
    taste = re.search(r"## A taste\n(.*?)\n## ", README, re.DOTALL)[1]
    code, said = re.findall(r"```(?:python)?\n(.*?)```", taste, re.DOTALL)
    answer = {}
    exec(code, answer)  # as it is written
    results = [capsys.readouterr().out]
    results += [checks.scaled_scores(answer["scaled_scores"], seed=seed) for seed in range(5)]
    for result in map(str, results):
        assert " ".join(result.split()).startswith(" ".join(said.split())), result


def test_the_layout_names_folders_that_are_there():
    table = re.search(r"## How it is laid out\n(.*?)\n## ", README, re.DOTALL)[1]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    folders = [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
    assert len(folders) > 8
    assert [name for name in folders if not (ROOT / name).is_dir()] == []
