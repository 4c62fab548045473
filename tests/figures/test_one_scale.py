"""The same weight has the same colour in a map, on a bar and in a drawing, light and dark."""

import base64
import io
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from PIL import Image

from course_lib.figures import attention_heatmap, head_grid, weight_bars
from course_lib.figures.colours import WEIGHTS, weight_colour
from course_lib.figures.style import figure_html
from refusals import refuses
from tools.notebooks.notebook_files import ROOT

ROWS = torch.tensor([[0.0, 0.1, 0.2, 0.7], [1.0, 0.0, 0.0, 0.0], [0.25, 0.25, 0.5, 0.0]])


def stored_picture(figure):
    """The picture that a notebook stores of a figure, RGB, (height, width, 3)."""
    html = figure_html(figure)
    picture = base64.b64decode(re.search(r'src="data:image/png;base64,([^"]+)"', html)[1])
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")).astype(int), html


def holds(picture, colour, least=300):
    """Whether an area of the picture has this colour, up to rounding."""
    return (np.abs(picture - list(bytes.fromhex(colour[1:]))).max(axis=-1) <= 2).sum() >= least


@pytest.mark.parametrize("draw", [attention_heatmap, lambda rows: head_grid([rows] * 3)])
def test_a_map_and_a_bar_of_one_weight_have_one_colour(draw):
    figure = draw(ROWS).figure
    for bar in [ax for ax in figure.axes if ax.get_label() == "<colorbar>"]:
        bar.remove()  # it has all colours
    maps, _ = stored_picture(figure)
    bars, _ = stored_picture(weight_bars(ROWS[0]).figure)
    for weight in ROWS[0].tolist():
        assert all(holds(one, weight_colour(weight)) for one in (maps, bars)), weight
    assert not holds(maps, weight_colour(0.85)), "a weight that the map does not hold"


def test_a_stored_picture_is_small_sharp_and_says_what_it_shows():
    weights = torch.randn(9, 8, 8, generator=torch.Generator().manual_seed(0)).softmax(dim=-1)
    titles = [f'head "{head}" <&>' for head in range(9)]
    picture, html = stored_picture(head_grid(weights, titles=titles, columns=3))
    width = int(re.search(r'width="(\d+)"', html)[1])
    assert abs(picture.shape[1] - 2 * width) <= 1 and 600 < width <= 720 and len(html) < 70_000
    assert "filter: invert(0.93) hue-rotate(180deg)" in html  # on a dark page
    assert 'alt="Figure: head &quot;0&quot; &lt;&amp;&gt;; head' in html
    fig, ax = plt.subplots(subplot_kw={"xlabel": "step", "ylabel": "loss"})
    assert 'alt="Figure: loss against step"' in figure_html(fig)
    ax.set_title("a panel", loc="left", weight="bold")
    fig.suptitle("what was found")
    assert 'alt="Figure: what was found; a panel"' in figure_html(fig)
    bold = fig.findobj(lambda one: getattr(one, "get_fontweight", str)() == "bold")
    assert "a panel" not in [one.get_text() for one in bold]  # it would look like the finding


def test_bars_write_the_large_weights_and_refuse_what_is_none():
    ax = weight_bars(ROWS[0], ["a", "b", "c", "$d$"], title="one row")
    assert [text.get_text() for text in ax.texts if text.get_text()] == ["0.20", "0.70"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "b", "c", "$d$"]
    assert (ax.get_title("left"), ax.get_ylim()) == ("one row", (0, 1.08))
    for wrong, said in (
        ([0.5, 0.1], r"weights must sum to 1 over the keys .* got 0.6"),
        ([[0.5, 0.5]], r"weights must have shape \(key_len\), got \(1, 2\)"),
    ):
        refuses(ValueError, said, weight_bars, wrong)
    refuses(ValueError, "key_labels must hold 4 labels", weight_bars, ROWS[0], ["a"])
    with pytest.raises(TypeError, match="annotate must be True or False, got 'none'"):
        weight_bars(ROWS[0], annotate="none")


def test_the_cells_of_the_courses_mark_are_weights():
    mark = (ROOT / "docs" / "_static" / "mark.svg").read_text(encoding="utf-8")
    fills = re.findall(r'fill="#(\w+)"', mark)
    assert fills and set(fills) <= set(WEIGHTS["light"].split())
