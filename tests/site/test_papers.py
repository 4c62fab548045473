"""A paper that several lessons cite has the same year in each."""

import re
from collections import defaultdict

from tools.notebooks.notebook_files import EXECUTED_FOLDERS, ROOT, find_notebooks, read_notebook

CITED = re.compile(r"((?:19|20)\d\d)\)?,? \[[^\]]+\]\(https://arxiv\.org/abs/([\d.]+)\)")


def test_a_paper_has_one_year():
    years = defaultdict(lambda: defaultdict(list))
    for path in find_notebooks(ROOT, EXECUTED_FOLDERS):
        for cell in read_notebook(path).cells:
            for year, paper in CITED.findall(cell.source):
                years[paper][year].append(path.stem)
    assert len(years) > 50
    assert {paper: dict(places) for paper, places in years.items() if len(places) > 1} == {}
