"""Drawings that answer: what is pointed at is framed, and its sum is written out and holds."""

import json
import re
from dataclasses import replace
from html import unescape

import pytest
from playwright.sync_api import expect

from course_lib.data.small_example import TOKENS
from course_lib.figures import drawings
from course_lib.figures.drawings.single_head import head_example
from course_lib.widgets import LiveDrawing
from tools.site.narrow_drawings import both_forms

LIVE = ("single_head", "heads_in_one_matrix", "causal_head", "transformer_block")
BANK, RIVER = TOKENS.index("bank"), TOKENS.index("river")

# Point at each box, and read what it says, and which words on a line have neither halo nor box.
SAID = """boxes => {
    document.querySelector('.cw-sum').style.height = '200px'; // room for any sentence: no box moves
    const host = document.querySelector('.cw-live'), root = host.shadowRoot;
    const matrix = root.querySelector('#drawing').getScreenCTM();
    const words = [...root.querySelectorAll(
        '#drawing :not([font-size="11"]) > text:not(g:has(> .operation) + text)')]
        .map(one => [one, one.getBoundingClientRect()]);
    return boxes.map(([x, y]) => {
        const {x: clientX, y: clientY} = new DOMPoint(x, y).matrixTransform(matrix);
        host.dispatchEvent(new PointerEvent('pointermove', {clientX, clientY}));
        const points = [...root.querySelectorAll('.answer path')].flatMap(line =>
            Array(51).fill(line.getTotalLength() / 50).map((part, i) =>
                line.getPointAtLength(i * part).matrixTransform(matrix)));
        const bare = words.filter(([one, {left, right, top, bottom}]) =>
            points.some(({x, y}) => left < x && x < right && top < y && y < bottom)
            && getComputedStyle(one).paintOrder === 'normal');
        return [document.querySelector('.cw-sum').innerText, bare.map(([one]) => one.textContent)];
    });
}"""
FRAMES = """all => all.map(one => [one.getAttribute('class'),
    ['x', 'y', 'width', 'height'].map(name => Math.round(one.getAttribute(name)))])"""
LINES = "all => all.map(one => [parseFloat(one.style.strokeWidth), one.getAttribute('d')])"


def frames(page):
    return dict(page.locator(".answer rect").evaluate_all(FRAMES))


def box(known, name, row, column=None):
    """The frame around a number, or around its whole row."""
    tensor = known["tensors"][name]
    (width, height), columns = tensor["cell"], len(tensor["numbers"][0])
    x, wide = (0, columns) if column is None else (column, 1)
    left, top = tensor["left"] + width * x, tensor["top"] + height * row
    return [round(left - 1), round(top - 1), width * wide + 2, height + 2]


def sum_of(words):
    """Of what is written out: how far off its result is, its sign, and how far = may be off."""
    words = re.sub(r" ?“[^”]+”|\(the other \d+\)", "", words).replace("·", "*").replace("−", "-")
    if not (found := re.search(r"(?:[^:]*: )([-\d.()*/+ ]+) ([=≈]) (-?[\d.]+)", words)):
        return None
    decimals = max(2, len(found[3].partition(".")[2]))
    return abs(eval(found[1]) - float(found[3])), found[2], 0.5 * 10**-decimals + 1e-8


def narrow(drawing):
    """The drawing as the site shows it, and how far each grid moves in its narrow form."""
    svg = both_forms(drawing)
    return replace(drawing, svg=svg), json.loads(unescape(re.search('data-moves="(.*?)"', svg)[1]))


@pytest.mark.parametrize("width", [390, 1000])
@pytest.mark.parametrize("name", LIVE)
def test_the_sum_of_every_number_holds_and_ends_with_the_number(open_page, name, width):
    drawing, moves = narrow(getattr(drawings, name)())
    widget = LiveDrawing(drawing)
    known = widget._data["known"]
    spots, places, sums = [], [], 0
    for grid, tensor in known["tensors"].items():
        across, down = moves[grid] if width == 390 and "part" in tensor else (0, 0)
        for row, numbers in enumerate(tensor["numbers"] if "part" in tensor else []):
            for column in range(len(numbers)):
                spots.append((tensor, row, column))
                x, y, wide, high = box(known, grid, row, column)
                places.append((x + wide / 2 + across, y + high / 2 + down))
    with open_page(widget, width=width) as page:
        said = page.evaluate(SAID, places)
    for (words, bare), (tensor, row, column) in zip(said, spots, strict=True):
        assert not bare, (words, bare)
        assert words.startswith((tensor["called"].replace("_", ""), f"“{TOKENS[row]}”")), words
        number = tensor["numbers"][row][column]
        if written := sum_of(words):
            sums, (off, sign, least) = sums + 1, written
            assert off < 0.06 and (sign == "=") == (off <= least), words
        if number is None:
            assert words.endswith("−∞"), words
        elif tensor["called"] == "mask":
            assert ("may not" in words) == (number == 0)
        else:
            shown = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", words.replace("−", "-"))]
            assert min(abs(number - n) for n in shown) <= 0.05, (words, number)
    assert sums >= 70


def test_a_score_frames_its_query_and_its_key_and_writes_the_sum_out(open_page):
    widget = LiveDrawing(drawings.single_head())
    known = widget._data["known"]
    with open_page(widget) as page:
        left, top, width, height = box(known, "scores", BANK, RIVER)
        ((words, _),) = page.evaluate(SAID, [(left + width / 2, top + height / 2)])
        assert words == "score of “bank” for “river”: 1·4 + 1·0 = 4, divided by √2: 2.8"
        marks = frames(page)
        assert marks["query"] == box(known, "Q", BANK)
        assert marks["key"] == box(known, "K", RIVER)
        assert marks["here"] == box(known, "scores", BANK, RIVER)
        assert page.locator(".meant").all_text_contents() == ["bank", "river", "bank", "bank"]
        fixed = page.locator("#drawing :is(.row, .framed)")  # another row may be meant
        assert fixed.count() == 6 and not fixed.first.is_visible() and not fixed.last.is_visible()
    assert LiveDrawing(drawings.single_head(), at=("Q", BANK, 0)).step == 1


def test_what_is_to_be_found_is_told_without_a_number_and_drawn_without_one(open_page):
    drawing, moves = narrow(drawings.single_head(solved=False))
    widget = LiveDrawing(drawing, at=("scores", BANK, RIVER))
    widget.step = 6
    known, places, written = widget._data["known"], [], []
    for name in ("X", "Q", "K", "V", "scores", "weights", "output"):
        left, top, *_ = box(known, name, BANK, 1)
        places.append((left + moves[name][0] + 3, top + moves[name][1] + 3))
    with open_page(widget, width=390) as page:
        said = [page.locator(".cw-sum").inner_text()]
        for place in places:
            said.append(page.evaluate(SAID, [place])[0][0])
            written += page.locator("#drawing text, .answer text").all_text_contents()
    product = "query of “bank” times key of “{}”, divided by √dk"
    assert [words.rpartition(": ")[2] for words in said] == [
        product.format("river"),
        "X of “bank”",
        *(f"X of “bank” times row 1 of W_{letter}" for letter in "QKV"),
        product.format("bank"),
        "its share of the row, which the softmax makes of the scores",
        "all values, mixed by the weights, most of all that of “river”",
    ]
    assert not re.search(r"\d", " ".join(written).replace("adds up to 1", ""))


@pytest.mark.parametrize("width", [390, 1000])
def test_the_lines_to_an_output_are_as_thick_as_its_weights_and_end_at_its_edge(open_page, width):
    drawing, moves = narrow(drawings.single_head())
    widget = LiveDrawing(drawing, at=("output", BANK, 0))
    known = widget._data["known"]
    across = [moves[name][0] * (width == 390) for name in ("output", "weights")]
    with open_page(widget, width=width) as page:
        lines = page.locator(".answer path").evaluate_all(LINES)
        thick = [5 * weight for weight in head_example().weights[BANK].tolist() if weight >= 0.05]
        assert [width for width, _ in lines] == pytest.approx(thick, abs=0.02)  # others: not seen
        ends = {float(way.split()[-2]) for _, way in lines}
        assert ends == {box(known, "output", BANK, 2 * (width == 390))[0] + 1 + across[0]}
        assert frames(page)["weights"][0] == box(known, "weights", BANK)[0] + across[1]
        far = page.locator(".answer .far").all_text_contents()  # V is out of sight on a phone
        assert far == (["bank 1", "river 2", "approved 0"] if width == 390 else [])
        assert page.locator(".answer .nothing").count() == 1  # "approved" brings nothing
        page.get_by_role("radio", name="scores").click()
        far, away = (page.locator(one).all_text_contents() for one in (".answer .far", ".away"))
        assert far + away == (["bank 1  1", "river 4  0", "bank"] if width == 390 else [])


# A property that all of it inherits has the style of all of it asked for again: a phone takes long.
WATCH_THE_DRAWING = """() => {
    window.changed = [];
    new MutationObserver(found => { changed.push(...found.map(one => one.attributeName)); })
        .observe(document.querySelector('.cw-live').shadowRoot.querySelector('.outer'),
            {subtree: true, attributes: true});
}"""


def test_steps_uncover_the_parts_by_keyboard_and_what_is_covered_says_nothing(open_page):
    drawing = drawings.single_head(lit="scores")
    with open_page(LiveDrawing(drawing, at=("scores", 1, 4))) as page:
        status, application = page.get_by_role("status"), page.get_by_role("application")
        page.evaluate(WATCH_THE_DRAWING)
        assert page.locator(".cw-live .covered").count() == 2  # weights and output
        page.get_by_role("button", name="next ›").click()
        assert page.locator(".cw-live .covered").count() == 1
        step = page.get_by_role("radio", name="weights")
        assert step.get_attribute("aria-checked") == "true"
        assert status.inner_text().startswith("weight of “bank” for “river”: ")
        step.press("Home")
        assert page.locator(".cw-live .covered").count() == 6
        assert status.inner_text() == "X of “bank”, number 0: 1"
        application.press("ArrowUp")
        assert status.inner_text() == "X of “The”, number 0: 0"
        page.get_by_role("radio", name="input").press("End")
        assert page.locator(".new [pathLength]").count() == 2  # lines are drawn where a step is new
        for _ in range(4):  # over the edge of the output into the next grid on the left
            application.press("ArrowLeft")
        assert re.match("(weight|score|value) of “", status.inner_text())
        page.get_by_role("button", name="again ↺").click()
        assert page.locator(".cw-live .covered").count() == 6
        assert set(page.evaluate("window.changed")) == {"class"}
    with open_page(LiveDrawing(drawing, at=("output", 1, 0))) as page:
        assert page.get_by_role("status").inner_text().startswith("Point at a cell")


def test_a_finger_has_arrows_and_need_not_hit_a_cell(open_page):
    drawing, _ = narrow(drawings.causal_head())
    with open_page(LiveDrawing(drawing), width=390, has_touch=True) as phone:
        arrow = phone.get_by_role("group", name="move").get_by_role("button", name="→")
        assert min(arrow.bounding_box()[side] for side in ("width", "height")) >= 24
        steps, status = phone.locator(".cw-stays button").all(), phone.get_by_role("status")
        assert all(step.bounding_box()["height"] >= 32 for step in steps)
        for place in ("output of “The”, number 0", "output of “The”, number 1"):
            arrow.tap()
            assert status.inner_text().startswith(f"{place}: all values that it attends to are 0")
            assert status.bounding_box()["height"] < 70  # no room for what may be said later
        phone.get_by_role("radio", name="scores").tap()
        assert phone.locator(".cw-sum [class^=cw-as]").all_text_contents() == ["score"]
        phone.get_by_role("radio", name="mask").tap()
        expect(status).to_contain_text("the mask says False")


def test_a_step_scrolls_to_what_it_uncovers_and_its_buttons_stay(open_page):
    tall = LiveDrawing(drawings.transformer_block(), at=("output", 1, 0))
    with open_page(tall, width=1440, height=900, reduced_motion="reduce") as page:
        page.add_style_tag(content="html { padding-bottom: 900px }")
        for height, moves in ((900, False), (500, True)):  # all is in view, or not
            page.set_viewport_size({"width": 1440, "height": height})
            page.get_by_role("radio", name="stream").click()
            assert (page.evaluate("scrollY") > 0) == moves
            expect(page.locator(".here")).to_be_in_viewport()
    drawing, _ = narrow(drawings.single_head(lit="scores"))
    phone_of_760 = {"width": 390, "height": 760, "has_touch": True, "reduced_motion": "reduce"}
    with open_page(LiveDrawing(drawing, at=("scores", 1, 4)), **phone_of_760) as phone:
        for name in ("output", "query", "weights"):
            (step := phone.get_by_role("radio", name=name)).tap()
            expect(step).to_be_in_viewport()
            places = (".cw-sum", ".answer .here", ".cw-pad")
            words, here, pad = (phone.locator(place).bounding_box() for place in places)
            assert words["y"] + words["height"] < here["y"] < pad["y"] - here["height"], name
        assert phone.locator(".cw-live :is(svg.narrow #drawing, use)").count() == 1  # no copies


def test_without_scripts_it_is_the_drawing(open_page):
    with open_page(LiveDrawing(drawings.single_head()), java_script_enabled=False) as page:
        picture = page.locator("img.course-drawing")
        assert picture.bounding_box()["width"] > 500
        assert "One attention head" in picture.get_attribute("alt")


def test_its_colours_follow_the_page(open_page, screenshots):
    with open_page(LiveDrawing(drawings.transformer_block())) as page:
        drawing = page.locator(".cw-live svg.outer")
        expect(drawing).to_have_css("--text", "#000000")
        page.emulate_media(color_scheme="dark")
        expect(drawing).to_have_css("--text", "#ffffff")
        page.screenshot(path=screenshots / "live_drawing_dark.png", full_page=True)
