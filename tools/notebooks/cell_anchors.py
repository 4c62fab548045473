"""A Sphinx extension: each cell of a notebook has an anchor on its page, the cell's id.

So `[text](../notebooks/02_single_head.ipynb#literal-qkv)` leads to that cell, and Sphinx warns of a
link to a cell that is not there.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

LINES_OF_A_CELL = 10_000  # myst-nb counts the lines of cell i from (i + 1) * 10000 on
KEY = "cell_ids"


def remember_ids(app: Sphinx, docname: str, content: list[str]) -> None:
    """Keep the ids of a notebook's cells until its page has been parsed."""
    is_notebook = Path(app.env.doc2path(docname)).suffix == ".ipynb"
    cells = json.loads(content[0])["cells"] if is_notebook else []
    app.env.temp_data[KEY] = [cell["id"] for cell in cells]


def cell_of(node: nodes.Element) -> int:
    """Return the number of the cell that a block begins in; -1 where that is not known."""
    if isinstance(node, nodes.section):
        node = node[0]  # its title
    return (node.line or 0) // LINES_OF_A_CELL - 1


def set_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Give the first block of each cell the cell's id, and tell MyST of it."""
    waiting = dict(enumerate(app.env.temp_data[KEY]))
    if not waiting:
        return
    slugs = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for node in doctree.findall(nodes.Element):
        is_block = isinstance(node, (nodes.section, nodes.Body))
        if is_block and not isinstance(node, (nodes.Inline, nodes.Invisible)):
            anchor = waiting.pop(cell_of(node), None)
            if anchor is not None:
                node["ids"].append(anchor)
                slugs.setdefault(anchor, (node.line, anchor, anchor))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", remember_ids, priority=900)  # behind what changes the cells
    app.connect("doctree-read", set_anchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
