"""What the pictures hold: scale, labels, marks, entropy; and what they refuse to draw."""

import io
import math
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb
from PIL import Image

from course_lib import causal_mask, scaled_dot_product_attention
from course_lib.figures import attention_heatmap, head_grid
from course_lib.figures.colours import weight_colour
from course_lib.figures.style import small_png

TOKENS = ["The", "bank", "by", "the", "river", "approved", "my", "loan"]
DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]

SEEDS = pytest.mark.parametrize("generator", [0, 1, 2], indirect=True)


@pytest.fixture
def generator(request):
    return torch.Generator().manual_seed(getattr(request, "param", 3))


def random_weights(generator, *shape, mask=None, dtype=torch.float64):
    """Attention weights of random queries and keys; shape ends with query_len, key_len."""
    *leading, query_len, key_len = shape
    query = torch.randn(*leading, query_len, 8, generator=generator, dtype=torch.float64)
    key = torch.randn(*leading, key_len, 8, generator=generator, dtype=torch.float64)
    key = key.to(dtype)
    return scaled_dot_product_attention(2 * query.to(dtype), key, key, mask=mask)[1]


def cells(ax):
    """The drawn values, (query_len, key_len), masked where no cell is drawn."""
    return ax.collections[0].get_array()


def tick_texts(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def cell_texts(ax):
    return [text.get_text() for text in ax.texts if text.get_gid() == "weight"]


def note(ax):
    """The small line above a map, "" where there is none."""
    return "".join(text.get_text() for text in ax.texts if text.get_gid() == "note")


def is_marked_untrained(ax):
    return [text.get_visible() for text in ax.texts if text.get_text() == "untrained"] == [True]


def mean_entropy(weights):
    """In Python's own floats, over the rows that attend to something."""
    rows = [row for row in weights.tolist() if sum(row) > 0]
    return sum(-sum(w * math.log(w) for w in row if w > 0) for row in rows) / len(rows)


def color_bars(figure):
    return [ax for ax in figure.axes if ax.get_label() == "<colorbar>"]


def pixels_at(ax, places):
    """RGB (0..255) of the rendered figure at places (query, key) of the map; (0.5, 0.5) is the
    middle of the first cell."""
    ax.figure.canvas.draw()
    image = np.asarray(ax.figure.canvas.buffer_rgba())
    x, y = ax.transData.transform([(key, query) for query, key in places]).astype(int).T
    return image[image.shape[0] - 1 - y, x, :3].astype(int)


def color_of(weight):
    """The course's colour of a weight, as 0..255; a map has a hundred shades."""
    return np.array(to_rgb(weight_colour(float(weight)))) * 255


def overlapping_pairs(labels):
    """Pairs of neighbouring texts whose boxes share more than a pixel in both directions."""
    boxes = [label.get_window_extent() for label in labels if label.get_text()]
    return [
        (i, i + 1)
        for i, (a, b) in enumerate(zip(boxes, boxes[1:], strict=False))
        if min(a.x1, b.x1) - max(a.x0, b.x0) > 1 and min(a.y1, b.y1) - max(a.y0, b.y0) > 1
    ]


# --- one map ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_cells_hold_the_weights_on_the_shared_scale(generator, dtype):
    weights = random_weights(generator, 8, 8, dtype=dtype).requires_grad_()
    ax = attention_heatmap(weights, TOKENS)
    np.testing.assert_array_equal(cells(ax), weights.detach().double().numpy())
    assert ax.collections[0].get_clim() == (0, 1)
    assert ax.collections[0].get_cmap().name == "course_weights"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("key (looked at)", "query (looking)")
    assert weights.requires_grad and weights.grad is None
    assert not is_marked_untrained(ax)


def test_first_query_is_on_top_and_first_key_on_the_left():
    one_hot = torch.zeros(3, 4)
    one_hot[0, 1] = one_hot[1, 3] = one_hot[2, 0] = 1
    ax = attention_heatmap(one_hot, annotate=False)
    places = [(query + 0.5, key + 0.5) for query in range(3) for key in range(4)]
    expected = [color_of(weight) for weight in one_hot.flatten()]
    np.testing.assert_allclose(pixels_at(ax, places), expected, atol=1)
    x, y = ax.transData.transform([(0.5, 0.5), (3.5, 2.5)]).T
    assert x[0] < x[1] and y[0] > y[1]  # pixels count from the lower left


def test_new_figure_has_a_labelled_color_bar_and_a_given_axes_none(generator):
    weights = random_weights(generator, 4, 4)
    (bar,) = color_bars(attention_heatmap(weights).figure)
    assert bar.get_ylabel() == "weight"
    assert bar.get_ylim() == (0, 1)
    figure, axes = plt.subplots(1, 2)
    assert attention_heatmap(weights, ax=axes[1]) is axes[1]
    assert figure.axes == list(axes)


def test_axes_of_a_figure_inside_a_figure_are_drawn_on(generator):
    left, right = plt.figure().subfigures(1, 2)
    weights = random_weights(generator, 4, 4)
    for subfigure in (left, right.subfigures(2, 1)[0]):
        ax = attention_heatmap(weights, list("abcd"), ax=subfigure.subplots())
        assert [label.get_text() for label in ax.get_yticklabels()] == list("abcd")


# --- labels ----------------------------------------------------------------------------------


def test_positions_stand_where_no_labels_are_known(generator):
    ax = attention_heatmap(random_weights(generator, 2, 3), ["he", "she"])
    assert (tick_texts(ax.yaxis), tick_texts(ax.xaxis)) == (["he", "she"], ["0", "1", "2"])
    ax = attention_heatmap(random_weights(generator, 3, 3), key_labels=["a", "b", "c"])
    assert (tick_texts(ax.yaxis), tick_texts(ax.xaxis)) == (["0", "1", "2"], ["a", "b", "c"])


def test_special_characters_are_drawn_as_they_stand(generator):
    tokens = ["$x_1$", r"$\nosuch{$", "_a^b", "%", "the", "the", "a\n"]
    ax = attention_heatmap(random_weights(generator, 7, 7), tokens)
    ax.figure.canvas.draw()  # an unknown formula would raise here
    assert tick_texts(ax.xaxis) == tick_texts(ax.yaxis) == [*tokens[:6], r"a\n"]
    labels = ax.get_xticklabels() + ax.get_yticklabels()
    assert not any(label.get_parse_math() for label in labels)


@pytest.mark.parametrize(
    "place, query_len, key_len",
    [
        *[("own figure", *lengths) for lengths in ((1, 1), (32, 32), (3, 24), (24, 3))],
        *[("small axes", *lengths) for lengths in ((8, 8), (32, 32))],
        *[("grid", *lengths) for lengths in ((8, 8), (24, 3), (1, 32))],
    ],
)
def test_labels_never_overlap(place, query_len, key_len):
    generator = torch.Generator().manual_seed(query_len + key_len)
    labels = [(TOKENS * 13)[:length] for length in (query_len, key_len)]
    if place == "grid":
        figure = head_grid(random_weights(generator, 2, query_len, key_len), *labels)
        maps = [ax for ax in figure.axes if ax not in color_bars(figure)]
    else:
        ax = plt.subplots(2, 2)[1][0, 0] if place == "small axes" else None
        maps = [attention_heatmap(random_weights(generator, query_len, key_len), *labels, ax=ax)]
    maps[0].figure.canvas.draw()
    for ax in maps:
        assert overlapping_pairs(ax.get_xticklabels()) == []
        assert overlapping_pairs(ax.get_yticklabels()) == []
        assert overlapping_pairs(ax.texts) == []
    assert tick_texts(maps[0].yaxis)[0] == tick_texts(maps[0].xaxis)[0] == "The"


@pytest.mark.parametrize("place", ["query_labels", "key_labels"])
@pytest.mark.parametrize("draw", [attention_heatmap, head_grid])
def test_a_long_label_is_shortened_and_leaves_the_map_its_room(generator, draw, place):
    weights = random_weights(generator, *(8, 8, 8) if draw is head_grid else (8, 8))
    labels = {"query_labels": TOKENS, "key_labels": TOKENS}
    beginning, end = "begins" + "x" * 6, "x" * 7 + "ends"

    def drawn(label):
        figure = draw(weights, **labels | {place: [label, *TOKENS[1:]]})
        figure = figure if draw is head_grid else figure.figure
        figure.draw_without_rendering()
        return figure, [ax.get_window_extent().size for ax in figure.axes]

    figure, sizes = drawn(beginning + "x" * 283 + end)
    expected, expected_sizes = drawn(f"{beginning}…{end}")  # 24 letters
    assert figure.get_size_inches().tolist() == expected.get_size_inches().tolist()
    np.testing.assert_array_equal(sizes, expected_sizes)
    # Beside short labels, the maps stay readable.
    assert (np.array(sizes[:-1]) >= 0.7 * np.array(drawn(TOKENS[0])[1][:-1])).all()
    panel = figure.axes[4 if draw is head_grid else 0]
    axis = panel.yaxis if place == "query_labels" else panel.xaxis
    assert tick_texts(axis) == [f"{beginning}…{end}", *TOKENS[1:]]


def test_labels_left_out_of_a_long_map_leave_the_others_in_place(generator):
    ax = attention_heatmap(random_weights(generator, 120, 120), [f"t{i}" for i in range(120)])
    ax.figure.canvas.draw()
    assert overlapping_pairs(ax.get_xticklabels()) == overlapping_pairs(ax.get_yticklabels()) == []
    for axis, places in ((ax.xaxis, ax.get_xticks()), (ax.yaxis, ax.get_yticks())):
        assert 30 <= len(places) < 120
        assert tick_texts(axis) == [f"t{int(place)}" for place in places]


# --- values in the cells, and their entropy --------------------------------------------------


def test_small_maps_write_their_values_and_large_ones_do_not(generator):
    weights = random_weights(generator, 8, 8)
    large = [f"{w:.2f}" for w in weights.flatten() if w >= 0.2]
    assert cell_texts(attention_heatmap(weights)) == large
    every = [f"{w:.2f}" for w in weights.flatten()]
    assert cell_texts(attention_heatmap(weights, annotate=True)) == every
    assert cell_texts(attention_heatmap(random_weights(generator, 32, 32))) == []
    assert cell_texts(attention_heatmap(weights, annotate=False)) == []
    of_12 = attention_heatmap(random_weights(generator, 12, 12), annotate=True)
    assert len(cell_texts(of_12)) == 144


def test_values_stay_in_the_map_and_out_of_its_layout(generator):
    ax = attention_heatmap(random_weights(generator, 8, 8), annotate=True, entropy=False)
    ax.figure.draw_without_rendering()
    assert len(ax.texts) == 64
    for text in ax.texts:
        assert not text.get_in_layout()
        (left, low), (right, high) = text.get_window_extent().get_points()
        assert ax.bbox.x0 < left < right < ax.bbox.x1 and ax.bbox.y0 < low < high < ax.bbox.y1


@SEEDS
def test_a_note_holds_the_mean_entropy_and_its_maximum(generator):
    weights = random_weights(generator, 6, 5)
    expected = f"entropy {mean_entropy(weights):.2f} of {math.log(5):.2f} nats"
    ax = attention_heatmap(weights, title="head 3")
    assert (note(ax), ax.get_title("left")) == (expected, "head 3")
    assert note(attention_heatmap(weights, entropy=False)) == ""


@SEEDS
@pytest.mark.parametrize("empty", [[], [0, 3]])
def test_the_entropy_counts_rows_that_look_and_the_keys_that_the_mask_allows(generator, empty):
    mask = causal_mask(5)
    mask[empty] = False
    weights = random_weights(generator, 5, 5, mask=mask)
    rows = [row for row in range(5) if row not in empty]
    most = sum(math.log(row + 1) for row in rows) / len(rows)
    expected = f"entropy {mean_entropy(weights):.2f} of {most:.2f} nats"
    assert note(attention_heatmap(weights, mask=mask)) == expected
    assert note(attention_heatmap(torch.zeros(2, 2))) == "nothing to attend to"


# --- marks -----------------------------------------------------------------------------------


def test_untrained_mark_covers_neither_title_nor_cells(generator):
    ax = attention_heatmap(random_weights(generator, 8, 8), TOKENS, title="A", untrained=True)
    ax.figure.canvas.draw()
    assert is_marked_untrained(ax)
    by_name = {text.get_gid(): text for text in ax.texts}
    box = by_name["warning"].get_bbox_patch().get_window_extent()
    small, title = by_name["note"].get_window_extent(), ax._left_title.get_window_extent()
    assert box.y0 >= ax.get_window_extent().y1
    assert box.y1 <= small.y0 and small.y1 <= title.y0 + 1 and title.y1 <= ax.figure.bbox.y1


@SEEDS
def test_what_a_mask_hides_is_the_ground_behind_one_line(generator):
    mask = causal_mask(5)
    weights = random_weights(generator, 5, 5, mask=mask)
    ax = attention_heatmap(weights, mask=mask)
    np.testing.assert_array_equal(np.ma.getmaskarray(cells(ax)), ~mask.numpy())
    assert cell_texts(ax) == [f"{w:.2f}" for w in weights[mask] if w >= 0.2]
    places = [(query + dy, key + dx) for query, key in (~mask).nonzero().tolist()
              for dy, dx in ((0.3, 0.2), (0.8, 0.7))]  # fmt: skip
    hidden = [place for place in places if place[0] > 1]  # row 0 holds the word "masked"
    assert (pixels_at(ax, hidden) == 255).all()
    assert "masked" in [text.get_text() for text in ax.texts]


def test_a_line_parts_a_weight_of_zero_from_what_is_masked():
    mask = torch.tensor([[True, False], [True, True]])
    seen = attention_heatmap(torch.eye(2), annotate=False, mask=mask)
    edge, inner = pixels_at(seen, [(1.0, 1.5), (1.0, 0.5)])
    assert (edge < 200).all() and (inner > 200).all(), "a dark line, and a light one between cells"
    free = attention_heatmap(torch.eye(2), annotate=False)
    np.testing.assert_allclose(pixels_at(free, [(0.5, 1.5)]), [color_of(0)], atol=1)
    assert "masked" not in [text.get_text() for text in free.texts]


def test_masked_is_written_where_a_corner_is_free():
    for allowed in (causal_mask(8), causal_mask(8).flip(-1), causal_mask(8).flip(0)):
        ax = attention_heatmap(torch.zeros(8, 8), mask=allowed)
        (word,) = [text for text in ax.texts if text.get_text() == "masked"]
        box = word.get_window_extent().transformed(ax.transData.inverted())
        left, right = int(box.x0), int(min(box.x1, 7.9))
        low, high = sorted((int(max(box.y0, 0)), int(min(box.y1, 7.9))))
        assert not allowed[low : high + 1, left : right + 1].any()


@pytest.mark.parametrize("shape", [(), (6,), (1, 6), (4, 1), (4, 6)], ids=str)
def test_mask_of_each_shape_that_broadcasts(generator, shape):
    mask = torch.rand(shape, generator=generator) < 0.5
    weights = random_weights(generator, 4, 6, mask=mask)
    ax = attention_heatmap(weights, mask=mask.numpy(), annotate=False)
    np.testing.assert_array_equal(~np.ma.getmaskarray(cells(ax)), mask.expand(4, 6).numpy())


# --- many heads ------------------------------------------------------------------------------


def head_panels(figure):
    return [ax for ax in figure.axes if ax not in color_bars(figure)]


@pytest.mark.parametrize("heads", [1, 2, 6])
def test_grid_has_a_panel_for_each_head_and_one_color_bar(generator, heads):
    weights = random_weights(generator, heads, 8, 8)
    figure = head_grid(weights, TOKENS)
    panels = head_panels(figure)
    assert len(panels) == heads
    for head, ax in enumerate(panels):
        np.testing.assert_array_equal(cells(ax), weights[head].numpy())
        assert ax.get_title("left") == f"head {head}"
    assert [bar.get_ylabel() for bar in color_bars(figure)] == ["weight"]
    assert figure.get_supxlabel() == "key (looked at)"
    assert figure.get_supylabel() == "query (looking)"
    # Tokens stand at the left of each row of four, and below the lowest panel of each column.
    for i, ax in enumerate(panels):
        assert tick_texts(ax.yaxis) == (TOKENS if i % 4 == 0 else [])
        assert tick_texts(ax.xaxis) == (TOKENS if i + 4 >= heads else [])


@pytest.mark.parametrize("columns, expected", [(1, 1), (3, 3), (4, 4), (9, 5)])
def test_grid_has_at_most_the_columns_asked_for(generator, columns, expected):
    panels = head_panels(head_grid(random_weights(generator, 5, 3, 3), columns=columns))
    assert len({round(ax.get_window_extent().x0) for ax in panels}) == expected


def test_grid_takes_titles_masks_and_the_untrained_mark(generator):
    mask = torch.stack([causal_mask(4), torch.ones(4, 4).bool()])
    weights = random_weights(generator, 2, 4, 4, mask=mask)
    figure = head_grid(weights, mask=mask, titles=["causal", "full"], untrained=True)
    causal, full = head_panels(figure)
    assert [ax.get_title("left") for ax in (causal, full)] == ["causal", "full"]
    assert is_marked_untrained(causal) and is_marked_untrained(full)
    np.testing.assert_array_equal(~np.ma.getmaskarray(cells(causal)), mask[0].numpy())


def test_grid_text_stays_in_the_figure_and_titles_apart(generator):
    figure = head_grid(random_weights(generator, 8, 8, 8), TOKENS, untrained=True)
    figure.canvas.draw()
    panels = head_panels(figure)
    for row in (panels[:4], panels[4:]):
        assert overlapping_pairs([ax._left_title for ax in row]) == []
    tight = figure.get_tightbbox().transformed(figure.dpi_scale_trans)
    assert tight.x0 >= 0 and tight.y0 >= 0
    assert tight.x1 <= figure.bbox.x1 and tight.y1 <= figure.bbox.y1


# --- errors ----------------------------------------------------------------------------------

HALVES = [[0.5, 0.5], [0.5, 0.5]]
UPPER = [[True, True], [False, True]]
NO_NUMBERS = "weights must be a tensor or an array of real numbers, got "
SHAPE = "weights must have shape (query_len, key_len), got "
MASK = "mask must broadcast to the shape (2, 2) of the weights, got "
SUM = "weights must sum to 1 over the keys (or to 0 where there is nothing to attend to)"
HIDDEN = "weights must be 0 where mask is False (True = may attend)"
WRONG_KIND = re.compile("must be (a tensor|a list|True or False|boolean|an integer)")
BAD_HEATMAPS = [
    ({"weights": None}, NO_NUMBERS + "None"),
    ({"weights": [["0.5", "0.5"], ["1", "0"]]}, NO_NUMBERS + "[['0.5', '0.5'],"),
    ({"weights": [0.5, 0.5]}, SHAPE + "(2,)"),
    ({"weights": [HALVES, HALVES]}, SHAPE + "(2, 2, 2); pick one head, such as weights[0]"),
    ({"weights": np.zeros((2, 0))}, "weights must not be empty, got shape (2, 0)"),
    ({"weights": [[math.nan, 1], [0.5, 0.5]]}, "weights must be numbers, got 1 NaN"),
    ({"weights": [[1.2, -0.2], [0.5, 0.5]]}, "weights must lie between 0 and 1, got -0.2 to 1.2"),
    ({"weights": [[math.inf, 0], [0.5, 0.5]]}, "weights must lie between 0 and 1, got 0 to inf"),
    ({"weights": [[0.5, 0.5], [0.5, 0.4]]}, f"{SUM}, got 0.9 for query 1"),
    ({"query_labels": list("abc")}, "query_labels must hold 2 labels, one for each query, got 3"),
    ({"key_labels": ["a"]}, "key_labels must hold 2 labels, one for each key, got 1"),
    ({"query_labels": "ab"}, "query_labels must be a list of texts, got one text: split it first"),
    ({"annotate": "none"}, "annotate must be True or False, got 'none'"),
    ({"mask": torch.ones(2, 2)}, "mask must be boolean with True = may attend, got float32"),
    ({"mask": torch.ones(3, 2).bool()}, MASK + "(3, 2)"),
    ({"mask": torch.ones(1, 2, 2).bool()}, MASK + "(1, 2, 2)"),
    ({"mask": UPPER}, f"{HIDDEN}, got 0.5 at index (1, 0), the largest of 1 such cells"),
]
BAD_GRIDS = [  # what is asked of one map is asked by the same function of each
    (
        {"weights": [[HALVES, HALVES]]},
        "weights must have shape (heads, query_len, key_len), got (1, 2, 2, 2); pick one batch "
        "element, such as weights[0]",
    ),
    ({"weights": [HALVES, [[0.5, 0.5], [1.0, 1.0]]]}, f"{SUM}, got 2 for head 1, query 1"),
    ({"mask": UPPER}, f"{HIDDEN}, got 0.5 at index (0, 1, 0), the largest of 2 such cells"),
    ({"titles": ["a"]}, "titles must hold 2 titles, one for each head, got 1"),
    ({"titles": {"a", "b"}}, "titles must be a list of texts, got set"),
    ({"columns": 0}, "columns must be at least 1, got 0"),
]


@pytest.mark.parametrize(
    "draw, good, changes, message",
    [(attention_heatmap, HALVES, *case) for case in BAD_HEATMAPS]
    + [(head_grid, [HALVES, HALVES], *case) for case in BAD_GRIDS],
    ids=[f"{message} {list(changes)}" for changes, message in BAD_HEATMAPS + BAD_GRIDS],
)
def test_bad_input_is_named_and_leaves_no_figure(draw, good, changes, message):
    with pytest.raises(TypeError if WRONG_KIND.search(message) else ValueError) as error:
        draw(**{"weights": good} | changes)
    assert str(error.value).startswith(message)
    assert plt.get_fignums() == [], "a notebook would show an empty picture"


def test_each_dot_of_a_stored_picture_has_the_nearest_of_its_colours(generator, monkeypatch):
    figure = attention_heatmap(random_weights(generator, 8, 8), TOKENS, untrained=True).figure
    drawn, save = io.BytesIO(), figure.savefig
    monkeypatch.setattr(figure, "savefig", lambda to, **how: save(to, **how) or save(drawn, **how))
    files = io.BytesIO(small_png(figure)[1]), drawn
    small, whole = (np.array(Image.open(file).convert("RGB"), int).reshape(-1, 3) for file in files)
    pairs = np.unique(np.hstack([whole, small]), axis=0)[:, None]  # (pairs, 1, 6)
    nearest = ((pairs[..., :3] - np.unique(small, axis=0)) ** 2).sum(axis=-1).min(axis=1)
    assert (((pairs[:, 0, :3] - pairs[:, 0, 3:]) ** 2).sum(axis=-1) == nearest).all()


def test_labels_of_a_tensor_are_its_numbers():
    for labels in (torch.tensor([5, 60]), list(torch.tensor([5, 60]))):
        assert tick_texts(attention_heatmap(HALVES, labels).xaxis) == ["5", "60"]
