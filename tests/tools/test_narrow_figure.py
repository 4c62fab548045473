"""A figure for a phone: 360 pixels wide, panels below each other, no text below 10 pixels."""

import base64
import io
import pickle

import matplotlib
import numpy as np
import pytest
import torch

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.text import Text  # noqa: E402
from PIL import Image  # noqa: E402

from course_lib.figures import attention_heatmap, effect_grid, head_grid, weight_bars  # noqa: E402
from course_lib.figures.style import course_style  # noqa: E402
from tools.site import phone_figures  # noqa: E402
from tools.site.narrow_figure import PIXELS, WIDTH, for_phone  # noqa: E402

WORDS = ["The", "bank", "by", "the", "river", "approved", "my", "loan"]
WEIGHTS = torch.randn(9, 8, 8, generator=torch.Generator().manual_seed(0)).softmax(dim=-1)
LONG = "Two layers learn to copy what stood behind the same word, one layer alone never learns it"


def three_panels():
    """Lines in three panels that share an axis, with a long title and a wide legend."""
    fig, axes = plt.subplots(1, 3, sharey=True)
    for i, ax in enumerate(axes):
        for kind in ("with the scale", "without the scale", "with half of it"):
            ax.plot(np.linspace(0, 10_000, 20), np.linspace(i, 3, 20), label=kind)
        ax.set_title(f"width {16 * 4**i}")
    axes[0].set(xlabel="training step", ylabel="accuracy of a batch")
    axes[2].legend()
    fig.suptitle(LONG)
    return fig


def small_text():
    fig, ax = plt.subplots()
    ax.bar(range(12), range(12))
    ax.set_xticks(range(12), [f"a long word {i}" for i in range(12)], fontsize=5)
    ax.text(3, 5, "a small note", fontsize=4)
    ax.set_title(LONG)
    return fig


def named_bars():
    """Bars above words, as seaborn places them."""
    names = ["all of the text", "not the first token", "the last 32", "last 31 and the first"]
    fig, ax = plt.subplots()
    ax.bar(names, range(4))
    return fig


FIGURES = {
    "one map": lambda: attention_heatmap(WEIGHTS[0], WORDS, title=LONG).figure,
    "nine maps": lambda: head_grid(WEIGHTS, WORDS, columns=3),
    "twenty-five maps": lambda: head_grid(WEIGHTS.repeat(3, 1, 1)[:25], WORDS),
    "flat maps": lambda: head_grid(WEIGHTS[:4].repeat(1, 1, 2) / 2, WORDS, range(16), columns=2),
    "bars": lambda: weight_bars(WEIGHTS[0, 0], WORDS, title="one row").figure,
    "effects": lambda: effect_grid({(i, j): i - j for i in range(4) for j in range(6)}).figure,
    "three panels": three_panels,
    "small text": small_text,
    "named bars": named_bars,
}


@pytest.fixture(scope="module", params=FIGURES)
def both(request):
    """A figure and its form for a phone."""
    with course_style():
        wide = FIGURES[request.param]()
        phone = for_phone(wide)
    yield wide, phone
    plt.close(wide)


def texts(figure):
    return [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]


def panels(figure):
    return [ax for ax in figure.axes if ax.get_label() != "<colorbar>"]


def test_no_text_is_smaller_than_10_pixels(both):
    _, phone = both
    sizes = [text.get_fontsize() * PIXELS / 72 for text in texts(phone)]
    assert sizes and min(sizes) >= 10 - 1e-9


def test_it_is_as_wide_as_a_phone_and_nothing_stands_beyond_its_edge(both):
    _, phone = both
    assert phone.get_tightbbox().width * PIXELS <= WIDTH + 1


def test_panels_stand_below_each_other_two_maps_in_a_row_or_three_as_in_the_figure(both):
    wide, phone = both
    shown, most = panels(phone), 2 if all(ax.get_aspect() == 1 for ax in panels(phone)) else 1
    if len(panels(wide)) == 9:
        most = 3
        labels = [label for ax in shown[-3:] for label in ax.get_xticklabels()]
        assert [label.get_text() for label in labels if label.get_visible()] == 3 * WORDS
        assert [ax.get_xlabel() for ax in shown] == 7 * [""] + ["key (looked at)", ""]
    rows = [round(ax.get_window_extent().y0) for ax in shown]
    assert max(map(rows.count, rows)) <= most


def test_the_weights_in_cells_do_not_touch():
    fig, pair = plt.subplots(1, 2, figsize=(7.4, 3.7))
    for ax in pair:
        attention_heatmap(WEIGHTS[0], WORDS, annotate=True, entropy=False, ax=ax)
    boxes = [weight.get_window_extent() for weight in for_phone(fig).axes[0].texts[:8]]
    assert all(a.x1 + 2 < b.x0 for a, b in zip(boxes, boxes[1:], strict=False))
    plt.close(fig)


def test_the_words_below_a_panel_do_not_run_into_each_other(both):
    _, phone = both
    for ax in panels(phone):
        boxes = [t.get_window_extent() for t in ax.get_xticklabels() if t.get_text()]
        for left, right in zip(boxes, boxes[1:], strict=False):
            assert left.x1 < right.x0 + 4 or left.y1 < right.y0 or right.y1 < left.y0


def test_the_names_of_rows_do_not_touch(both):
    _, phone = both
    for ax in panels(phone):
        boxes = [label.get_window_extent() for label in ax.get_yticklabels() if label.get_text()]
        boxes.sort(key=lambda box: box.y0)
        assert all(a.y1 < b.y0 + 2 for a, b in zip(boxes, boxes[1:], strict=False))


def test_dark_words_on_a_map_have_an_edge_of_light_and_white_numbers_none():
    fig, ax = plt.subplots()
    ax.pcolormesh(range(4), range(3), np.ones((2, 3)))
    ax.text(1, 1, "head 16.0")
    ax.text(2, 1, "0.97", color="white")
    words, number = for_phone(fig).axes[0].texts
    assert words.get_path_effects() and not number.get_path_effects()
    plt.close(fig)


def test_no_word_is_lost(both):
    wide, phone = both
    said = {word for text in texts(phone) for word in text.get_text().split()}
    for text in texts(wide):
        words = text.get_text().split()
        if not any(word.strip("-−.").replace(".", "").isdigit() for word in words):
            assert set(words) <= said, words


def test_the_figure_itself_stays_as_it_is():
    with course_style():
        wide = three_panels()
        wide.draw_without_rendering()
        size, boxes = tuple(wide.get_size_inches()), [ax.get_position().bounds for ax in wide.axes]
        for_phone(wide)
        assert tuple(wide.get_size_inches()) == size
        wide.draw_without_rendering()
        assert wide._suptitle.get_text() == LONG
        assert wide.axes[2].get_legend() is not None
        after = [ax.get_position().bounds for ax in wide.axes]
        np.testing.assert_allclose(after, boxes, atol=0.01)  # a layout is never quite done
    plt.close(wide)


def test_a_figure_that_a_run_hands_over_is_drawn_once(tmp_path, monkeypatch):
    with course_style():
        wide = small_text()
        handed = base64.b64encode(pickle.dumps(wide)).decode()
    plt.close(wide)
    before = plt.get_fignums()
    first = phone_figures.drawn({"plot": [handed]}, tmp_path)
    ((form,),) = first.values()
    picture = Image.open(io.BytesIO(base64.b64decode(form["png"])))
    assert picture.format == "PNG" and WIDTH - 20 <= form["width"] <= WIDTH
    assert before == plt.get_fignums()  # a notebook shows what pyplot holds
    monkeypatch.setattr(phone_figures.narrow_figure, "for_phone", None)
    assert phone_figures.drawn({"plot": [handed]}, tmp_path) == first
