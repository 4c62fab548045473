"""A section that is named by its number is a link to its heading, whose number is still that one.

`[section 3](02_single_head.ipynb#cell-id=...)` leads there in JupyterLab and on the site.
"""

import re

import pytest

from tools.notebooks.notebook_files import ROOT, read_notebook

NUMBERED = re.compile(r"^## (\d+)\. ", re.MULTILINE)
LINK = re.compile(r"\[(?:[Ss]ections? )?(\d+)\]\(([\w./]*\.ipynb)#cell-id=([\w-]+)\)")
# In a paper, whose link stands before, numbers may be anything; headings hold no links.
OF_A_PAPER = re.compile(
    r"\]\([^()\s]+\), sections? [\d.]+(?: and [\d.]+| to [\d.]+)?|[Ss]ection \d+\.\d"
)
NAMED = re.compile(r"[Ss]ections? \d+")
PATHS = sorted([*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "solutions").glob("*/*.ipynb")])


def texts(path):
    for cell in read_notebook(path).cells:
        if cell.cell_type == "markdown":
            yield cell.id, cell.source


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_each_section_that_is_named_by_its_number_is_a_link_to_it(path):
    for cell, text in texts(path):
        for number, address, target in LINK.findall(text):
            lesson = path.parent / address
            here = dict(texts(lesson)).get(target, "")
            assert number in NUMBERED.findall(here), (cell, number, address, target)
        prose = re.sub(r"^#.*$", "", OF_A_PAPER.sub("", LINK.sub("", text)), flags=re.MULTILINE)
        assert not NAMED.findall(prose), cell


def test_there_are_such_links():
    assert sum(len(LINK.findall(text)) for path in PATHS for _, text in texts(path)) > 90
