"""How the small widgets are laid out: nothing overprinted or beyond the frame, and no jumps."""

import pytest
import torch

from course_lib import widgets
from course_lib.data.checkpoints import load_checkpoint
from course_lib.data.tasks import AGREEMENT_WORDS
from course_lib.figures.drawings import single_head

WIDTHS = [360, 768, 1280]
NASTY = [
    '<img src=x onerror="window.hacked = true">',
    "</script><script>window.hacked = true</script>",
    "\"quotes' & <b>more</b>",
    "שלום",
    "👩‍👩‍👧 emoji",
    "very-long-" * 30,
    " leading space",
    "line\nbreak",
]
SENTENCE = ["The", "bank", "by", "the", "river", "approved", "my", "loan", "<pad>", "<pad>"]
ANIMALS = [[-1.0, 1.2], [-1.6, -0.6], [0.6, -1.5], [1.6, 0.8]]
NAMES = ["cat", "mouse", "wolf", "horse"]
WIDGETS = {
    "mask_lab": lambda: widgets.MaskLab([*SENTENCE, "unbelievably", "long"], changed=4, query=1),
    "mask_lab_nasty": lambda: widgets.MaskLab(NASTY, "sliding window", changed=4, query=2),
    "soft_lookup": lambda: widgets.SoftLookup(
        ANIMALS, NAMES, query=[-0.6, 0.45], axes=("size", "tameness")
    ),
    "soft_lookup_nasty": lambda: widgets.SoftLookup(
        ANIMALS, NASTY[:4], axes=("size", "<b>tameness")
    ),
    "soft_lookup_long_name": lambda: widgets.SoftLookup(ANIMALS, ["a hippopotamus", *NAMES[1:]]),
    "soft_lookup_on_the_axes": lambda: widgets.SoftLookup(
        [[0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]], ["up", "right", "left"], query=(0.6, 0.4)
    ),
    "live_drawing": lambda: widgets.LiveDrawing(single_head(), at=("output", 1, 0)),
    "scaling_lab": widgets.ScalingLab,
    "reshape_stepper": lambda: widgets.ReshapeStepper(6, 4, 4, step=2),
    "sentence_lab": lambda: widgets.SentenceLab(
        {name: load_checkpoint("agreement") for name in ("trained", "untrained")},
        AGREEMENT_WORDS,
        "<start> the keys near the cabinet under the flowers behind the basket",
        layer=1,
        off=[(0, 5), (1, 3)],
    ),
}

# Every piece of text as rectangles, cut to what its scrolling or clipping parents let through.
TEXTS = """() => {
    const found = [];
    const walker = document.createTreeWalker(document.querySelector('.cw'), NodeFilter.SHOW_TEXT);
    for (let node, index = 0; node = walker.nextNode(); index++) {
        const parent = node.parentElement;
        if (!node.data.trim() || !parent.checkVisibility({visibilityProperty: true})) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const one of range.getClientRects()) {
            let {left, right, top, bottom} = one;
            for (let box = parent; box && !box.classList.contains('cw'); box = box.parentElement) {
                if (getComputedStyle(box).overflow === 'visible') continue;
                const frame = box.getBoundingClientRect();
                left = Math.max(left, frame.left); right = Math.min(right, frame.right);
                top = Math.max(top, frame.top); bottom = Math.min(bottom, frame.bottom);
            }
            if (right - left > 1 && bottom - top > 1)
                found.push({node: index, text: node.data.trim(), left, right, top, bottom});
        }
    }
    return found;
}"""
ROOM = """() => {
    const {left, right} = document.querySelector('.cw').getBoundingClientRect();
    return [left, right];
}"""


def overlapping_texts(page):
    """Pairs of texts that are printed over one another, by more than their empty edges."""
    texts = page.evaluate(TEXTS)
    assert len(texts) > 5
    return [
        (one["text"], other["text"])
        for i, one in enumerate(texts)
        for other in texts[:i]
        if one["node"] != other["node"]
        and min(one["right"], other["right"]) - max(one["left"], other["left"]) > 2
        and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 4
    ]


def beyond_the_frame(page):
    left, right = page.evaluate(ROOM)
    texts = page.evaluate(TEXTS)
    return [text["text"] for text in texts if text["left"] < left or text["right"] > right]


@pytest.mark.parametrize("name", WIDGETS)
def test_nothing_is_overprinted_and_axe_finds_nothing(open_page, axe, each_look, name):
    with open_page(WIDGETS[name](), reduced_motion="reduce") as page:
        for look in each_look(page, name, WIDTHS):
            assert overlapping_texts(page) == beyond_the_frame(page) == axe(page) == [], look
        assert page.evaluate("window.hacked") is None
        assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("width", [600, 660, 700, 760, 840])
def test_soft_lookup_keeps_within_its_frame_at_any_width(open_page, width):
    for name in ("soft_lookup", "soft_lookup_long_name"):
        with open_page(WIDGETS[name](), width=width) as page:
            assert beyond_the_frame(page) == overlapping_texts(page) == []


def test_the_names_in_the_plane_never_collide(open_page):
    lookup = WIDGETS["soft_lookup"]()
    # In the first, the eight places beside the output were all taken.
    queries = [[-1.39, -0.65], *(2 * torch.rand(12, 2) - 1).mul(1.5).tolist()]
    for query in queries:
        lookup.query = query
        lookup.temperature = 0.5 if query is queries[0] else 0.3 + torch.rand(()).item()
        with open_page(lookup, width=390) as page:
            assert overlapping_texts(page) == [], query


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("sizes", [(3, 2, 2), (6, 4, 4), (2, 4, 1)])
def test_reshape_stepper_keeps_its_height(open_page, sizes, width):
    with open_page(widgets.ReshapeStepper(*sizes), width=width, reduced_motion="reduce") as page:
        heights = set()
        for table in ("closed", "open"):
            for step in range(6):
                page.get_by_role("radio").nth(step).click()
                heights.add((table, page.locator(".cw").bounding_box()["height"]))
            page.get_by_text("As a table").first.click()
        assert len(heights) == 2, heights


@pytest.mark.parametrize("name", [*WIDGETS, "explorer"])
def test_the_keyboard_reaches_every_control(open_page, name):
    """Tab stops at each group, and each stop can be seen."""
    widget = widgets.AttentionExplorer(torch.randn(3, 4, 4), NAMES) if name == "explorer" else None
    with open_page(widget or WIDGETS[name](), reduced_motion="reduce") as page:
        controls = page.evaluate(
            """() => [...document.querySelectorAll(
                '.cw :is(button, input, select, summary, [tabindex])')]
                .filter(one => one.tabIndex >= 0 && !one.disabled && one.checkVisibility())
                .length"""
        )
        assert controls > 1
        stops = set()
        for _ in range(controls):
            page.keyboard.press("Tab")
            stops.add(
                page.evaluate(
                    """() => {
                        const style = getComputedStyle(document.activeElement);
                        if (style.outlineStyle === 'none') return 'unseen';
                        const all = [...document.querySelectorAll('.cw *')];
                        return all.indexOf(document.activeElement);
                    }"""
                )
            )
        assert "unseen" not in stops and -1 not in stops
        assert len(stops) == controls
