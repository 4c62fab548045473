"""README: short, and true."""

import re

from tools.notebooks.notebook_files import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_readme_is_short():
    assert len(README.encode()) < 12_500


def test_the_taste_runs_as_written_and_says_what_the_check_says(capsys):
    taste = re.search(r"## A taste\n(.*?)\n## ", README, re.DOTALL)[1]
    code, said = re.findall(r"```(?:python)?\n(.*?)```", taste, re.DOTALL)
    exec(code, {})  # as it is written
    assert " ".join(capsys.readouterr().out.split()).startswith(" ".join(said.split()))


def test_the_layout_names_folders_that_are_there():
    table = re.search(r"## How it is laid out\n(.*?)\n## ", README, re.DOTALL)[1]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    folders = [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
    assert len(folders) > 8
    assert [name for name in folders if not (ROOT / name).is_dir()] == []
