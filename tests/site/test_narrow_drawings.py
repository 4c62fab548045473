"""Drawings for phones: each piece stands once, and arrows connect what they connect elsewhere."""

import base64
import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from course_lib.data.small_example import TOKENS
from course_lib.figures import drawings
from course_lib.widgets import LiveDrawing
from tools.site.narrow_drawings import WIDTH, Stack, apart, both_forms, with_narrow_drawings

DRAWINGS = sorted(set(drawings.__all__) - {"Drawing"})
VARIANTS = [(name, {}) for name in DRAWINGS] + [("transformer_block", {"norm_first": False})]
VARIANTS += [(name, {"solved": False}) for name in ("single_head", "many_heads", "soft_lookup")]
OWN_WORDS = {"evidence_ladder", "heads_in_one_matrix", "sum_in_a_ring"}  # of the narrow form


def stack_of(drawing, rows=None):
    parts = {name: [replace(mark) for mark in marks] for name, marks in drawing.marks.items()}
    return Stack(parts, rows or drawing.rows)


def words_of(node, left_out):
    """All words of a form, without what is in the class of the other one."""
    if left_out in node.get("class", "").split():
        return Counter()
    own = Counter("".join(node.itertext()).split()) if node.tag.endswith("text") else Counter()
    return sum((words_of(child, left_out) for child in node), own)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_each_piece_stands_once_and_beside_the_others(name, options):
    drawing = getattr(drawings, name)(**options)
    stack = stack_of(drawing)
    boxes = [piece.box for row in stack.rows for piece in row]
    assert len(boxes) == len(stack.pieces)
    assert min(box.left for box in boxes) >= 0 and max(box.right for box in boxes) <= WIDTH + 1
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            assert apart(one, other) > 0, (one, other)
    group = ElementTree.fromstring(both_forms(drawing)).find(".//*[@id='drawing']")
    narrow, wide = words_of(group, "wide"), words_of(group, "narrow")
    named = {*TOKENS} if name in ("single_head", "causal_head", "transformer_block") else set()
    assert name in OWN_WORDS or (not wide - narrow and {*(narrow - wide)} <= named)


def test_arrows_connect_what_they_connect_in_the_wide_form():
    def name(piece):
        return next(words for mark in piece.cores for words in (mark.name, mark.words) if words)

    found = {
        (name(e.source), name(e.target), e.role) for e in stack_of(drawings.single_head()).edges
    }
    letters = {"Q": "query", "K": "key", "V": "value"}
    expected = {("X", f"W_{letter}", role) for letter, role in letters.items()}
    expected |= {(f"W_{letter}", letter, role) for letter, role in letters.items()}
    expected |= {(x, "Q Kᵀ / √2", letters[x]) for x in "QK"}
    expected |= {("Q Kᵀ / √2", "scores", "scores"), ("scores", "softmax", "scores")}
    expected |= {("softmax", "weights", "weights"), ("weights", "weights V", "weights")}
    assert found == expected | {("V", "weights V", "value"), ("weights V", "output", "output")}


@pytest.mark.parametrize("name", DRAWINGS)
def test_no_arrow_is_lost(name):
    stack = stack_of(getattr(drawings, name)())
    assert name != "evidence_ladder" or not stack.edges  # its rails have no tips
    tips = [m for ms in stack.parts.values() for m in ms if m.kind == "line" and "tip" in m.svg]
    assert len(stack.edges) >= len([line for line in tips if line not in stack.owner])


@pytest.mark.parametrize(
    ("rows", "message"), [("X > nothing", "got 'nothing'"), ("X > W_Q", "none has .*'W_K'")]
)
def test_rows_must_name_all_pieces_and_no_others(rows, message):
    with pytest.raises(ValueError, match=message):
        stack_of(drawings.single_head(), rows)


def test_pictures_and_live_drawings_of_a_page_get_both_forms():
    drawing = drawings.causal_head(lit="mask")
    live = LiveDrawing(drawing).live_html("here")
    html = drawing._repr_html_()
    shown = new_output("display_data", data={"text/html": html + live})
    cell = new_code_cell('LiveDrawing(causal_head(lit="mask"))', outputs=[shown])
    page = NotebookNode(cells=[new_markdown_cell(html), cell])
    with_narrow_drawings(page, NotebookNode(cells=[cell]))
    svg = both_forms(drawing)
    wide, narrow = re.findall(r'viewBox="\S+ 0 (\d+) (\d+)"', svg)
    sizes = f'style="--wide: {wide[0]}/{wide[1]}; --narrow: {narrow[0]}/{narrow[1]}"'
    new, old = (base64.b64encode(one.encode()).decode() for one in (svg, drawing.svg))
    for text, times in ((page.cells[0].source, 1), (cell.outputs[0].data["text/html"], 2)):
        assert text.count(new) >= times and old not in text
        assert f'<img class="course-drawing" {sizes}' in text
