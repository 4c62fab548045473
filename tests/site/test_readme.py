"""README: short, and true."""

import re

import course_checks as checks
from tools.notebooks.notebook_files import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_readme_is_short():
    assert len(README.encode()) < 12_500


def test_the_taste_is_what_the_check_says():
    taste = re.search(r"## A taste\n(.*?)\n## ", README, re.DOTALL)[1]
    code, said, _ = re.findall(r"```(?:python)?\n(.*?)```", taste, re.DOTALL)
    answer = {}
    exec(re.search(r"def scaled_scores.*?\n\n", code, re.DOTALL)[0], answer)
    for seed in range(5):
        result = checks.scaled_scores(answer["scaled_scores"], seed=seed)
        assert " ".join(str(result).split()).startswith(" ".join(said.split())), str(result)


def test_the_layout_names_folders_that_are_there():
    table = re.search(r"## How it is laid out\n(.*?)\n## ", README, re.DOTALL)[1]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    folders = [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
    assert len(folders) > 8
    assert [name for name in folders if not (ROOT / name).is_dir()] == []
