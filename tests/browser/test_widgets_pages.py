"""The exported pages in Chromium: no network, no kernel; mouse, keyboard, light, dark, narrow."""

import base64
import math
import re

import pytest
import torch
from shown_weights import TOKENS, bar_texts, bars, close, colours_of, percents
from test_widgets_layout import NASTY

from course_lib import DecoderLM, causal_mask, widgets


def status(page):
    return page.get_by_role("status").first.inner_text()


def test_every_control_changes_the_numbers(open_page):
    scores, values = 1.5 * torch.randn(4, 8, 8), torch.randn(4, 8, 3)
    with open_page(widgets.AttentionExplorer(scores, TOKENS, values, query=5)) as page:
        weights = torch.softmax(scores, dim=-1)
        assert close(bars(page), weights[0, 5])
        page.get_by_role("radio", name="head 2").click()
        assert close(bars(page), weights[2, 5])
        page.get_by_role("radiogroup", name="query").get_by_role("radio").nth(6).click()
        assert close(bars(page), weights[2, 6])
        best = int(weights[2, 6].argmax())
        assert status(page).startswith(f"head 2, query “my” attends most to “{TOKENS[best]}”, ")
        shown = page.locator(".cw-context + p").inner_text().split()
        context = (weights[2] @ values[2])[6].tolist()
        assert [float(number) for number in shown] == pytest.approx(context, abs=0.006)

        page.get_by_label("causal mask").check()
        allowed = causal_mask(8)
        masked = torch.softmax(scores[2].masked_fill(~allowed, -math.inf), dim=-1)
        assert close(bars(page), masked[6].where(allowed[6], math.nan))
        slider = page.get_by_label("temperature")
        slider.fill("0.5")
        temperature = float(slider.get_attribute("aria-valuetext"))
        assert temperature == pytest.approx(10**0.5, rel=0.01)
        masked = torch.softmax((scores[2] / temperature).masked_fill(~allowed, -math.inf), dim=-1)
        assert close(bars(page), masked[6].where(allowed[6], math.nan))
        entropy = f"{torch.special.entr(masked[6]).sum():.2f} of at most {math.log(7):.2f} nats"
        assert page.get_by_text("entropy").inner_text() == f"entropy {entropy}"
        page.get_by_text("As a table").click()
        page.locator("tbody tr").last.wait_for()
        cells = page.locator("tbody td:last-child").all_inner_texts()
        assert close(percents(cells), masked[6].where(allowed[6], math.nan))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_map_bars_and_chips_have_one_colour_for_one_number(open_page, scheme):
    scores, allowed = 1.5 * torch.randn(8, 8), causal_mask(8)
    explorer = widgets.AttentionExplorer(scores, TOKENS, causal=True, query=5)
    with open_page(explorer, color_scheme=scheme) as page:
        pixels = page.evaluate(
            """() => [...document.querySelector('.cw-board canvas').getContext('2d')
                .getImageData(0, 0, 8, 8).data]"""
        )
        assert page.locator(".cw-board .cw-edge path").get_attribute("d").startswith("M0 0H1M1 1H2")
        background = "nodes => nodes.map(n => getComputedStyle(n).backgroundColor)"
        styles = [
            page.locator(selector).evaluate_all(background)[:6]
            for selector in (".cw-partners > *", ".cw-bars .cw-track i")
        ]
    pixels = torch.tensor(pixels).view(8, 8, 4)
    expected = colours_of(scores.masked_fill(~allowed, -math.inf).softmax(dim=-1), scheme)
    assert (pixels[..., :3] - expected)[allowed].abs().max() <= 1
    assert torch.equal(pixels[..., 3] == 255, allowed)
    assert (pixels[..., 3][~allowed] == 0).all()  # what is masked is not drawn
    shown = [
        [[int(part) for part in re.findall("[0-9]+", style)] for style in row] for row in styles
    ]
    assert (torch.tensor(shown) - expected[5, :6]).abs().max() <= 1


def test_tokens_are_shown_as_they_are_and_never_run(open_page):
    with open_page(widgets.AttentionExplorer(1.5 * torch.randn(8, 8), NASTY), width=360) as page:
        shown = page.locator('[aria-label="query"] [role="radio"]').evaluate_all(
            "nodes => nodes.map(node => node.textContent)"
        )
        assert shown == [token.replace("\n", "\\n") for token in NASTY]
        for query in range(8):
            page.get_by_role("radiogroup", name="query").get_by_role("radio").nth(query).click()
        page.get_by_text("As a table").click()
        assert page.evaluate("window.hacked") is None
        assert page.locator("img").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_row_with_nothing_to_attend_to_says_so(open_page):
    mask = torch.ones(8, 8, dtype=torch.bool)
    mask[0] = False
    with open_page(widgets.AttentionExplorer(1.5 * torch.randn(8, 8), TOKENS, mask=mask)) as page:
        assert status(page) == "head 0, query “The” has nothing to attend to"
        assert set(bar_texts(page)) == {"masked"}


def test_equal_weights_are_not_called_the_most(open_page):
    with open_page(
        widgets.AttentionExplorer(torch.zeros(8, 8), TOKENS, causal=True, query=2)
    ) as page:
        text = "head 0, query “by” attends most to “The”, 33.3%, and as much to 2 more"
        assert status(page) == text


def test_untrained_is_marked(open_page):
    for untrained in (False, True):
        widget = widgets.AttentionExplorer(torch.randn(8, 8), TOKENS, untrained=untrained)
        with open_page(widget) as page:
            assert page.locator(".cw-untrained").is_visible() == untrained


def test_who_wants_less_motion_gets_none(open_page):
    with open_page(
        widgets.AttentionExplorer(1.5 * torch.randn(8, 8), TOKENS), reduced_motion="reduce"
    ) as page:
        moving = "getComputedStyle(document.querySelector('.cw-track i')).transitionDuration"
        assert page.evaluate(moving) == "0s"


ANIMALS = ["cat", "mouse", "wolf", "horse"]
ANIMAL_KEYS = torch.tensor([[-1.0, 1.2], [-1.6, -0.6], [0.6, -1.5], [1.6, 0.8]])


def drag(page, start, end, reach):
    """Drag on the plane, from one of its points to another."""
    box = page.locator(".cw-plane").bounding_box()

    def at(x, y):
        return (
            box["x"] + (x / reach + 1) / 2 * box["width"],
            box["y"] + (1 - y / reach) / 2 * box["height"],
        )

    page.mouse.move(*at(*start))
    page.mouse.down()
    page.mouse.move(*at(*end), steps=4)
    page.mouse.up()


def test_soft_lookup_follows_pointer_and_sliders(open_page):
    keys, reach = ANIMAL_KEYS.clone(), 1.3 * 1.6
    with open_page(widgets.SoftLookup(keys, ANIMALS)) as page:
        x, y = -1.2, 0.9
        drag(page, (0, 0), (x, y), reach)
        page.mouse.move(5, 5)  # the button is up: the query stays

        def numbers(label):
            sliders = page.get_by_label(label).all()
            return [float(slider.get_attribute("aria-valuetext")) for slider in sliders]

        def check(query, moved):
            """The page shows what torch makes of the query and the keys, which are the values."""
            weights = torch.softmax(keys @ torch.tensor(query) / numbers("temperature")[0], 0)
            cells = page.locator("tbody td:nth-child(3)").all_inner_texts()
            assert close(percents(cells), weights, moved)
            assert status(page).startswith(f"most weight on “{ANIMALS[int(weights.argmax())]}”, ")
            output = [float(part) for part in re.findall(r"-?[\d.]+", status(page).split("(")[1])]
            assert output == pytest.approx((weights @ keys).tolist(), abs=0.02 + moved)

        assert numbers("query") == pytest.approx([x, y], abs=0.02)
        check(numbers("query"), moved=0.001)  # what sliders say is rounded
        page.get_by_label("query: x").focus()
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        assert numbers("query")[0] > x + 0.1
        check(numbers("query"), moved=0.001)
        page.get_by_label("temperature").fill("-0.7")
        check(query := numbers("query"), moved=0.001)

        page.get_by_label("temperature").fill("0")
        drag(page, keys[0].tolist(), (1.0, -0.5), reach)
        keys[0] = torch.tensor([1.0, -0.5])
        check(query, moved=0.04)  # a pixel
        page.get_by_label("what the sliders move").select_option("mouse")
        page.get_by_label("mouse: x").fill("-1.3")
        keys[1, 0] = -1.3
        check(query, moved=0.04)


MASKED_TOKENS = ["The", "bank", "by", "the", "river", "approved", "<pad>", "<pad>"]


def test_mask_lab_toggles_finds_leaks_and_shows_empty_rows(open_page):
    lab = widgets.MaskLab(MASKED_TOKENS, changed=4)
    with open_page(lab) as page:

        def check():
            """The page shows what Python computes from the same mask."""
            cells = page.locator(".cw-cells button").evaluate_all(
                "cells => cells.map(cell => [cell.ariaPressed === 'true', cell.ariaLabel])"
            )
            lab.allowed = torch.tensor([pressed for pressed, _ in cells]).view(8, 8).tolist()
            shown = [label.split(", ")[-1] if may else "masked" for may, label in cells]
            assert close(percents(shown), lab.weights.where(lab.mask, math.nan).flatten())
            moved = [text != "stays" for text in bar_texts(page)]
            assert moved == lab.moves.tolist()
            moved = f"{sum(moved)} of 8 outputs move."
            assert page.get_by_text(moved, exact=True).is_visible()
            framed = page.locator(".cw-cells button").evaluate_all(
                "cells => cells.map(cell => cell.classList.contains('cw-leaky'))"
            )
            leaky = [divmod(i, 8) for i, is_leaky in enumerate(framed) if is_leaky]
            assert leaky == lab.leaks
            names = [f"“{token}”" for token in MASKED_TOKENS[:6]] + ["“<pad>” at 6", "“<pad>” at 7"]
            leaks = [f"{names[query]} sees {names[key]}" for query, key in lab.leaks]
            rest = f", and {len(leaks) - 3} more" if len(leaks) > 3 else ""
            said = f"the future leaks: {', '.join(leaks[:3])}{rest}" if leaks else "nothing leaks; "
            assert status(page).split(": ", 1)[1].startswith(said)

        check()
        assert status(page).startswith("causal: ")
        assert page.get_by_text("Change “river”: how far").is_visible()
        # A later cell that is open leaks, although another token is the changed one.
        page.get_by_label("“The” may not attend to “by”").click()
        check()
        assert status(page) == "your own mask: the future leaks: “The” sees “by”"
        page.get_by_label("“The” attends to “by”, which is later").click()
        page.get_by_label("“bank” may not attend to “river”").click()
        check()
        for preset in ("no mask", "padding", "causal and padding", "sliding window", "causal"):
            page.get_by_role("radio", name=preset, exact=True).click()
            assert status(page).startswith(preset + ":")
            check()

        rows = page.locator("tbody tr")

        def forms():
            cells = [row.locator("td").all_inner_texts() for row in rows.all()]
            return [list(column) for column in zip(*cells, strict=True)]

        # The first row has one cell that is allowed: take it away with the keyboard alone.
        page.get_by_role("radiogroup", name="mask").get_by_role("radio", checked=True).focus()
        page.keyboard.press("Tab")  # to the cell that was clicked
        page.keyboard.press("ArrowUp")
        for _ in range(4):
            page.keyboard.press("ArrowLeft")
        assert len(set(map(tuple, forms()))) == 1
        page.keyboard.press("Space")
        check()
        assert forms() == [["nan"] * 8, ["12.5%"] * 8, ["0.0%"] * 8]


NAMES_ON_THE_GRID = """() => [...document.querySelectorAll('.cw-panel')].flatMap(panel =>
    [...panel.querySelectorAll('.cw-line-name')].filter(name => {
        const {top, bottom} = name.getBoundingClientRect();
        const grid = [...panel.querySelectorAll('.cw-grid')];
        const places = grid.map(line => line.getBoundingClientRect().top);
        const edge = panel.getBoundingClientRect().top;
        return top < edge || places.some(y => top < y && y < bottom);
    }).map(name => name.textContent))"""


def test_scaling_lab_shows_what_python_computes(open_page):
    lab = widgets.ScalingLab()
    with open_page(lab) as page:

        def check():
            cells = page.locator("tbody td:nth-child(3)").all_inner_texts()
            assert close(percents(cells), lab.weights)
            texts = page.locator("tbody td:nth-child(2)").all_inner_texts()
            scores = [float(text) for text in texts]
            assert scores == pytest.approx(lab.scores.tolist(), abs=0.006)
            facts = page.locator(".cw-formula").inner_text()
            assert f"entropy {abs(lab.entropy):.2f} of at most {math.log(8):.2f} nats" in facts
            slope = facts.split()[-1]
            if slope == "1e-6":
                assert lab.slope < 1e-6
            else:
                assert float(slope) == pytest.approx(lab.slope, rel=0.5, abs=0.0006)

        check()
        page.get_by_label("divide the scores").uncheck()
        lab.scaled = False
        check()
        page.get_by_label("dₖ", exact=True).focus()
        page.keyboard.press("End")
        lab.d_k = 512
        check()
        page.get_by_role("button", name="another draw").click()
        lab.draw = 1
        check()
        assert status(page).startswith("dₖ 512, not scaled: the largest weight is ")
        assert page.evaluate(NAMES_ON_THE_GRID) == []


@pytest.mark.parametrize("wrong", [False, True])
@pytest.mark.parametrize("sizes", [(3, 2, 2), (4, 3, 1)])
def test_reshape_stepper_moves_numbers_as_torch_does(open_page, wrong, sizes):
    stepper = widgets.ReshapeStepper(*sizes)
    d_model = sizes[1] * sizes[2]
    with open_page(stepper, reduced_motion="reduce") as page:
        side = page.get_by_role("group", name="Wrong" if wrong else "Right")
        side.get_by_text("As a table").click()
        side.locator("tbody tr").first.wait_for()
        page.get_by_role("radio", name="0 projection").focus()
        for step in range(6):
            stepper.step = step
            order = stepper.order(wrong)
            expected = [
                [f"{'ABCDEF'[n // d_model]}{n % d_model}" + "′" * (step > 2) for n in line]
                for line in order.flatten(0, -2).tolist()
            ]
            lines = side.locator("tbody tr").all()
            assert [line.locator("td").all_inner_texts() for line in lines] == expected
            shape = ", ".join(map(str, order.shape))
            assert f"({shape})" in status(page)
            # The rows are tokens A, B, C, or heads 0, 1.
            names = side.locator("tbody th").all_inner_texts()
            assert all(re.search(r"(token [A-F]|head \d)$", name) for name in names)
            # What is drawn stands where the table says: read it block by block, row by row.
            places = side.locator(".cw-number").evaluate_all(
                "cells => cells.map(cell => [cell.textContent, "
                "...cell.style.transform.match(/[0-9.]+(?=px)/g).map(Number)])"
            )
            columns = order.shape[-1]
            lefts = sorted({left for _, left, _ in places})
            drawn = sorted(places, key=lambda p: (lefts.index(p[1]) // columns, p[2], p[1]))
            assert [name for name, *_ in drawn] == sum(expected, [])
            # Heads are mixed exactly when a block of the attention holds features of two heads.
            mixed = side.get_by_text("mixed heads", exact=True).filter(visible=True).count()
            assert mixed == (wrong and step > 0)
            page.keyboard.press("ArrowRight")


def model_lab(text, *, words=tuple("abcdefghijkl"), num_layers=4, num_heads=3, **arguments):
    """A lab of a small random model whose attention is not even. Bars part the words of a text."""
    model = DecoderLM(len(words), 4 * num_heads, num_heads, num_layers, positions="rotary").eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5)
        model.head.weight.normal_(std=0.5)

    def encode(text):
        pieces = text.split("|")
        return torch.tensor([[words.index(piece) for piece in pieces]]), [f" {p}" for p in pieces]

    return widgets.ModelLab(model, encode, lambda number: words[number], text, **arguments)


def switched_off(page):
    names = page.get_by_role("gridcell").evaluate_all("cells => cells.map(cell => cell.title)")
    return [name.split(":")[0] for name in names if name.endswith(", off")]


def line(page):
    """What is written: with all heads where nothing is off, else what is gone and what is new."""
    return page.locator(".cw-sentence").inner_text()


def test_model_lab_shows_the_stored_runs_without_a_kernel(open_page):
    text, off = "a|b|c|a|b", [(1, 2), (3, 0)]
    lab = model_lab(text, runs=[(text, off), ("c|d", [])], layer=2, head=1)
    with open_page(lab, width=1280) as page:
        rows = page.locator(".cw-next tbody tr")
        grid = page.get_by_role("grid")

        def number(text):
            text = text.split()[0]  # without the change, and the range of what is by chance
            return 0.0004 if text == "<0.1%" else float(text[:-1]) / 100

        def check(run):
            """The page shows this run, whichever head and score are chosen."""
            for row, (token, *columns) in zip(rows.all(), run["next"], strict=True):
                assert row.get_by_role("rowheader").inner_text() == token
                shown = [number(text) for text in row.locator("td").all_inner_texts()[1:]]
                expected = columns[:3] if run["off"] else columns[:1]  # the third: by chance
                assert shown == pytest.approx(expected, abs=0.00061)
                bar = row.locator(".cw-track i").first  # a full one is 100%, whatever is off
                width = float(bar.evaluate("bar => bar.style.width")[:-1])
                assert width == pytest.approx(100 * columns[0], abs=0.01)
            gone = run["before"] != run["after"]
            assert page.locator(".cw-sentence del").all_inner_texts() == gone * [run["before"]]
            assert line(page).endswith(run["after"])
            if run["off"]:
                control = page.locator(".cw-control").inner_text()
                assert control.startswith(f"By chance: {run['control']['same']} of 20 draws of two")
            assert switched_off(page) == [f"layer {i}, head {j}" for i, j in run["off"]]
            names = [
                square.get_attribute("aria-label") for square in grid.get_by_role("gridcell").all()
            ]
            return [name.split(": ")[1].removesuffix(", off") for name in names]

        check(lab._stored[1])  # it opens on what shows something
        page.get_by_role("radio", name=text).first.click()
        check(lab._stored[0])
        assert page.get_by_label("text", exact=True).is_disabled()
        for name in ("Read", "brightest off", "all of layer 2 off", "only these on", "all on"):
            assert page.get_by_role("button", name=name).is_disabled()
        assert "needs a running kernel" in page.get_by_role("alert").inner_text()
        page.get_by_role("button", name="undo").click()
        scores = check(lab._stored[1])
        heads = "head 2 of layer 1 and head 0 of layer 3"
        assert status(page).startswith(f"Two of 12 heads are off: {heads}; it writes “")

        # Every score, from weights that the model gives without these heads.
        tokens = torch.tensor([[0, 1, 2, 0, 1]])
        with torch.no_grad():
            for layer, head in off:
                out_proj = lab._model.stack.blocks[layer].attention.out_proj
                out_proj.weight[:, 4 * head : 4 * head + 4] = 0
            weights = torch.cat(lab._model(tokens, need_weights=True)[1])  # (4, 3, 5, 5)
        page.get_by_role("radio", name="from the last token").click()
        looked_at = int(page.get_by_label("token looked at").evaluate("node => node.value"))
        assert looked_at == 1 + int(weights[2, 1, 4, 1:].argmax())
        scores = {"from the last token": weights[..., 4, looked_at].flatten()}
        for name, text in lab._stored[1]["scores"].items():
            scores[name] = torch.tensor([*base64.b64decode(text)]) / 255
        for name, numbers in scores.items():
            page.get_by_role("radio", name=name).click()
            shown = [float(score) for score in check(lab._stored[1])]
            assert shown == pytest.approx(numbers.tolist(), abs=0.0071)
        page.get_by_role("radio", name="from the last token").click()
        page.get_by_label("token looked at").select_option("0")
        shown = [float(score) for score in check(lab._stored[1])]
        assert shown == pytest.approx(weights[..., 4, 0].flatten().tolist(), abs=0.0071)

        # The maps of the chosen head's layer are the explorer's; another head keeps the query.
        maps = page.locator(".cw-maps")
        assert maps.locator("summary").first.inner_text() == "Where the heads of layer 2 look"
        maps.get_by_role("radiogroup", name="query").get_by_role("radio").nth(2).click()
        page.get_by_role("gridcell", name="layer 3, head 1").click()
        check(lab._stored[1])  # nothing is switched without a kernel
        top = int(weights[3, 1, 2, :3].argmax())
        words = f"head 1, query “c” attends most to “{'abc'[top]}”, "
        assert maps.get_by_role("status").inner_text().startswith(words)
        shown = float(maps.get_by_role("status").inner_text().removeprefix(words).split("%")[0])
        assert shown / 100 == pytest.approx(weights[3, 1, 2, top].item(), abs=0.0071)
        assert maps.locator(".cw-readout").inner_text().startswith(f"“c” → “{'abc'[top]}” ")

        page.get_by_role("radio", name="c|d").click()
        check(lab._stored[2])
        page.get_by_role("radio", name="induction").click()
        assert page.get_by_text("this text has no such pair of tokens").is_visible()
        assert set(check(lab._stored[2])) == {"no score"}
        assert page.locator(".cw-every .cw-masked").count() == 12


class Answering:
    """A lab's page whose kernel is this test: it answers what it likes, when it likes."""

    def __init__(self, lab):
        self.lab = lab

    def to_html(self):
        kernel = "model: (window.model = Object.assign(widget.pageModel(state), {isPage: false}))"
        return self.lab.to_html().replace("model: widget.pageModel(state)", kernel)

    def answer(self, page, text, off, message=""):
        if not message:
            for run in self.lab._runs(text, off):
                page.evaluate("run => model.set('_live', run)", run)
        answer = {"text": text, "off": off, "message": message}
        page.evaluate("answer => model.set('answer', answer)", answer)


def test_model_lab_waits_and_shows_the_newest_answer_only(open_page):
    kernel = Answering(model_lab("a|b|c"))
    with open_page(kernel, width=1280) as page:
        page.clock.install()
        section, message = page.locator("section").first, page.get_by_role("alert")
        off = page.locator(".cw-every .cw-off")
        first = line(page)
        assert status(page).startswith("All 12 heads are on; it writes “")
        field = page.get_by_label("text", exact=True)
        field.fill("d|e")
        field.press("Enter")
        assert message.inner_text() == "The model is computing …"
        assert section.get_attribute("aria-busy") == "true"
        # Switches add up while the model computes.
        page.get_by_role("gridcell", name="layer 1, head 2").click()
        page.get_by_role("gridcell", name="layer 0, head 1").click()
        asked = page.evaluate("[model.get('text'), model.get('off')]")
        assert asked == ["d|e", [[0, 1], [1, 2]]]
        for late in ([], [[1, 2]]):
            kernel.answer(page, "d|e", late)
            assert line(page) == first and off.count() == 0
            assert message.inner_text() == "The model is computing …"
        page.clock.fast_forward(11_000)
        assert message.inner_text().startswith("No answer from Python yet.")
        kernel.answer(page, "d|e", asked[1])
        assert status(page).startswith("Two of 12 heads are off: ")
        assert (off.count(), message.inner_text()) == (2, "")
        assert section.get_attribute("aria-busy") == "false"

        shown = line(page)
        field.fill("nonsense")
        field.press("Enter")
        kernel.answer(page, "nonsense", asked[1], "ValueError: no such word")
        assert message.inner_text() == "ValueError: no such word"
        assert (off.count(), line(page)) == (2, shown)
        page.clock.fast_forward(11_000)
        assert message.inner_text() == "ValueError: no such word"
        page.get_by_role("button", name="only these 2 on").click()
        assert len(page.evaluate("model.get('off')")) == 10
        kernel.answer(page, "d|e", page.evaluate("model.get('off')"))
        assert off.count() == 10
        page.get_by_role("button", name="all on", exact=True).click()
        assert page.evaluate("[model.get('text'), model.get('off')]") == ["d|e", []]
        kernel.answer(page, "d|e", [])
        assert status(page).startswith("All 12 heads are on; ")
        page.get_by_role("radio", name="a|b|c").click()  # stored: nobody needs to answer
        assert (line(page), message.inner_text()) == (first, "")


def test_model_lab_fits_and_axe_finds_nothing(open_page, axe, each_look):
    words = [*NASTY, *(f"word{i}" for i in range(40))]
    lab = model_lab(
        "|".join(words),
        words=words,
        num_layers=30,
        num_heads=9,
        runs=[("|".join(NASTY), [(i, i % 9) for i in range(20)])],
    )
    with open_page(lab, reduced_motion="reduce") as page:
        for i in range(2):
            page.get_by_role("radiogroup", name="stored run").get_by_role("radio").nth(i).click()
            for look in each_look(page, f"model_lab_{i}", (360, 1280)):
                assert axe(page) == [], look
        assert page.evaluate("window.hacked") is None
        assert page.locator("img").count() == 0


def test_very_many_weights_are_shown_as_they_are_and_a_long_text_in_part(open_page):
    torch.manual_seed(0)
    scores = (3 * torch.randn(4, 12, 300, 300)).masked_fill(~causal_mask(300), -torch.inf)
    weights, texts = scores.softmax(dim=-1), [f"t{i}" for i in range(300)]
    widget = widgets.AttentionExplorer.from_weights(weights, texts, layer=2, head=7, query=150)
    with open_page(widget) as page:
        status = page.locator(".cw-status").first
        status.wait_for()
        row = weights[2, 7, 150]
        name, percent = re.search(r"attends most to “(t\d+)”, (\d+)%", status.inner_text()).groups()
        assert row[int(name[1:])] > row.max() - 0.01
        assert abs(float(percent) / 100 - row.max().item()) <= 0.01
        assert page.get_by_label("temperature").count() == 0
    long = torch.randn(2, 600, 600).softmax(dim=-1)
    texts = [f"t{i}" for i in range(600)]
    with open_page(widgets.AttentionExplorer.from_weights(long, texts, around=500)) as page:
        page.get_by_text("Tokens 89 to 599 of 600 are shown").wait_for()
        assert "query “t500”" in page.locator(".cw-status").first.inner_text()
