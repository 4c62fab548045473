"""On the site, a link to a cell of a notebook leads there, and one to no cell is a warning."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from sphinx.cmd.build import main as sphinx_build

from tools.notebooks.notebook_files import NOTEBOOK_METADATA, ROOT, write_notebook

CONF = f"""\
import sys
sys.path.insert(0, {str(ROOT)!r})
extensions = ["myst_nb", "tools.notebooks.cell_anchors"]
nb_execution_mode = "off"
"""


def lesson():
    output = new_output("stream", name="stdout", text="0.99\n")
    return new_notebook(
        metadata=NOTEBOOK_METADATA,
        cells=[
            new_markdown_cell("# A lesson\n\nText.", id="title"),
            new_markdown_cell("## A section\n\nOne.\n\nTwo.", id="section"),
            new_markdown_cell("| a | b |\n| --- | --- |\n| 1 | 2 |", id="a-table"),
            new_code_cell("print(0.99)", id="cell-07", execution_count=1, outputs=[output]),
            new_markdown_cell("- an item\n\nText.", id="456ff027"),
        ],
    )


@pytest.fixture
def build(tmp_path):
    def build(*cells):
        pages = tmp_path / "pages"
        write_notebook(pages / "notebooks" / "lesson.ipynb", lesson())
        (pages / "docs").mkdir()
        links = [f"[there](../notebooks/lesson.ipynb#{cell})\n" for cell in cells]
        (pages / "docs" / "claims.md").write_text("\n".join(["# Claims\n", *links]))
        toctree = "```{toctree}\ndocs/claims\nnotebooks/lesson\n```\n"
        (pages / "index.md").write_text(f"# Course\n\n{toctree}")
        (pages / "conf.py").write_text(CONF)
        site = tmp_path / "site"
        status = sphinx_build(["-b", "html", "-W", "--keep-going", "-q", str(pages), str(site)])
        return status, site

    return build


def test_links_to_cells_lead_there(build):
    cells = [cell.id for cell in lesson().cells]
    status, site = build(*cells)
    assert status == 0
    page, claims = (
        (site / name).read_text() for name in ("notebooks/lesson.html", "docs/claims.html")
    )
    for cell in cells:
        assert page.count(f'id="{cell}"') == 1
        assert f'href="../notebooks/lesson.html#{cell}"' in claims
    _, _, after = page.partition('id="cell-07"')
    assert after.index("0.99") < after.index('id="456ff027"') < after.index("an item")


def test_a_link_to_a_cell_that_is_not_there_is_a_warning(build, capfd):
    status, _ = build("cell-08")
    assert status != 0
    assert "cell-08" in capfd.readouterr().err
