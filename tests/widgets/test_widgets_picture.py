"""The stored pictures: every head, every label, and the colours of the weights, drawn as shapes."""

import base64
import re
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb

from course_lib import causal_mask
from course_lib.figures.colours import weight_colour
from course_lib.widgets import AttentionExplorer, MaskLab, ScalingLab
from course_lib.widgets.picture import MOST_CELLS, MOST_ROWS

SVG = "{http://www.w3.org/2000/svg}"
TOKENS = ["The", "bank", "<b>by", "river's"]


def drawing(widget):
    """The root of the only picture of a widget's still."""
    [encoded] = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', widget.still())
    return ElementTree.fromstring(base64.b64decode(encoded))


def cells_of(group, rows, columns):
    """The colours (rows, columns, 3) that a map's strokes give its cells; NaN where there is none.

    Fails if two strokes cover one cell.
    """
    colours = np.full((rows, columns, 3), np.nan)
    for path in group.iter(f"{SVG}path"):
        for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)", path.get("d")):
            run = colours[int(y), int(x) : int(x) + int(length)]
            assert len(run) == int(length) and np.isnan(run).all()
            run[:] = to_rgb(path.get("stroke"))
    return colours


def maps_of(root):
    return [group for group in root.iter(f"{SVG}g") if group.get("class") == "map"]


def texts_of(root):
    return [text.text for text in root.iter(f"{SVG}text")]


def assert_colours_are(group, weights, allowed):
    found = cells_of(group, *weights.shape)
    flat = np.asarray(weights).clip(0, 1).ravel().tolist()
    expected = np.array([to_rgb(weight_colour(weight)) for weight in flat]).reshape(found.shape)
    allowed = np.asarray(allowed)
    assert np.abs(found - expected)[allowed].max() < 0.02  # 128 steps
    assert np.isnan(found[~allowed]).all()


@pytest.mark.parametrize(("layers", "heads"), [(1, 1), (1, 3), (2, 3)])
def test_every_head_has_the_colours_of_its_weights(layers, heads):
    scores = 2 * torch.randn(layers, heads, 4, 4)
    layer, head = layers - 1, heads - 1
    explorer = AttentionExplorer(scores, TOKENS, causal=True, layer=layer, head=head, query=2)
    allowed = causal_mask(4)
    weights = torch.softmax(scores.masked_fill(~allowed, -torch.inf), dim=-1)
    root = drawing(explorer)
    maps = maps_of(root)
    if layers * heads > 1:
        assert len(maps) == layers * heads + 1
        for group, one in zip(maps, weights.flatten(0, 1), strict=False):
            assert_colours_are(group, one, allowed)
    assert_colours_are(maps[-1], weights[layer, head], allowed)
    texts = texts_of(root)
    for token in TOKENS:
        assert texts.count(token) == 2  # a row and a column
    if layers * heads > 1:
        form = "{}.{}" if layers > 1 else "head {1}"
        names = [form.format(*place) for place in product(range(layers), range(heads))]
        assert texts[: len(names)] == names


def test_many_cells_are_made_fewer_and_the_picture_says_so():
    scores = 3 * torch.randn(3, 5, 100, 100)
    explorer = AttentionExplorer(scores, [f"t{i}" for i in range(100)], head=4)
    root = drawing(explorer)
    *small, large = maps_of(root)
    weights = torch.softmax(scores, dim=-1)

    def pooled(map_, factor):
        return torch.nn.functional.max_pool2d(map_[None, None], factor, ceil_mode=True)[0, 0]

    texts = texts_of(root)
    [of_small] = [text for text in texts if "Names: layer.head" in text]
    factor = int(re.match(r"A cell is the largest weight of (\d+) by \1\.", of_small)[1])
    assert 15 * (-(-100 // factor)) ** 2 <= MOST_CELLS < 15 * (-(-100 // (factor - 1))) ** 2
    for group, one in zip(small, weights.flatten(0, 1), strict=True):
        one = pooled(one, factor)
        assert_colours_are(group, one, torch.ones_like(one, dtype=torch.bool))
    assert "A cell is the largest weight of 2 by 2. Rows: queries" in texts[-1]
    one = pooled(weights[0, 4], 2)
    assert max(one.shape) <= MOST_ROWS
    assert_colours_are(large, one, torch.ones_like(one, dtype=torch.bool))
    assert len(explorer.still()) < 200_000


def test_one_line_goes_around_what_may_be_seen_and_nothing_else_is_drawn():
    lab = MaskLab(TOKENS, "sliding window", padding=1)
    root = drawing(lab)
    [group] = maps_of(root)
    assert_colours_are(group, lab.weights, lab.mask)
    [edge] = [path for path in root.iter(f"{SVG}path") if path.get("class") == "edge"]
    sides = set()  # of unit length, as the cells on both sides of them
    for x, y, way, end in re.findall(r"M(\d+) (\d+)([HV])(\d+)", edge.get("d")):
        for step in range(int(x if way == "H" else y), int(end)):
            sides.add((way, step, int(y)) if way == "H" else (way, int(x), step))
    seen = np.pad(lab.mask.numpy(), 1)
    wanted = {("H", x, y) for y, x in np.argwhere(seen[1:, 1:-1] != seen[:-1, 1:-1]).tolist()}
    wanted |= {("V", x, y) for y, x in np.argwhere(seen[1:-1, 1:] != seen[1:-1, :-1]).tolist()}
    assert sides == wanted
    assert "Outside the line: masked." in texts_of(root)[-1]
    assert not list(root.iter(f"{SVG}pattern"))


def test_long_labels_are_cut_and_nothing_is_markup():
    root = drawing(AttentionExplorer(torch.zeros(2, 2), ["x" * 40, "</text><script>"]))
    assert texts_of(root).count("x" * 13 + "…") == 2
    assert texts_of(root).count("</text><scrip…") == 2
    assert not list(root.iter(f"{SVG}script"))


@pytest.mark.parametrize("n_keys, numbers", [(8, True), (24, False)])
def test_a_single_row_shows_the_numbers_of_its_weights_where_they_fit(n_keys, numbers):
    lab = ScalingLab(n_keys=n_keys, d_k_max=64)
    written = [text.text for text in drawing(lab).iter(f"{SVG}text")]
    expected = [f"{weight:.2f}" for weight in lab.weights.tolist()] if numbers else []
    assert [text for text in written if re.fullmatch(r"\d\.\d\d", text)] == expected
