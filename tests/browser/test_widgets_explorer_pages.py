"""The explorer's page in Chromium: real sizes, both questions, views, comparing, saving."""

import ast
import math
import re
import xml.etree.ElementTree as ET

import pytest
import torch
from PIL import Image
from playwright.sync_api import expect
from shown_weights import TOKENS, bar_texts, bars, close, colours_of, percents

from course_lib.attention.masks import causal_mask
from course_lib.figures.colours import ROLES
from course_lib.study.heads import entropy_score, previous_token_score
from course_lib.widgets import AttentionExplorer

WIDTHS = {390: 844, 768: 1024, 1280: 800}  # the widths of screens, and their heights


def radio(page, group, name):
    radios = page.get_by_role("radiogroup", name=group, exact=True)
    return radios.get_by_role("radio", name=name, exact=True)


def saved(page, kind, folder):
    """Where the picture lies that the page saves, as SVG or PNG."""
    with page.expect_download() as download:
        page.get_by_role("button", name=kind, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def parts_of(drawing):
    """The root of an SVG, and its parts by kind."""
    root = ET.fromstring(drawing)
    kinds = ("rect", "text", "path")
    return root, *([node for node in root.iter() if node.tag.endswith(kind)] for kind in kinds)


def state_text(page):
    """The state, without touching the page."""
    text = page.get_by_label("state, for Python").evaluate("node => node.value")
    name, _, value = text.partition(" = ")
    assert name == "explorer.state"
    return ast.literal_eval(value)


def in_sight(page, selector):
    """Whether the element lies wholly in the window, without scrolling."""
    box, window = page.locator(selector).first.bounding_box(), page.viewport_size
    ends = {"width": box["x"] + box["width"], "height": box["y"] + box["height"]}
    return box["height"] > 0 <= min(box["x"], box["y"]) and all(ends[i] <= window[i] for i in ends)


def test_who_looks_at_this_key(open_page):
    scores = 1.5 * torch.randn(2, 8, 8)
    with open_page(AttentionExplorer(scores, TOKENS, causal=True, head=1)) as page:
        masked = scores[1].masked_fill(~causal_mask(8), -math.inf)
        weights = torch.softmax(masked, dim=-1)
        radio(page, "query", "my").click()
        radio(page, "question", "who looks at it").click()
        assert TOKENS[state_text(page)["key"]] == "my"  # the question is about the same token
        radio(page, "key", "bank").click()
        page.mouse.move(5, 5)
        column = weights[:, 1].masked_fill(~causal_mask(8)[:, 1], math.nan)
        assert close(bars(page), column)
        best = int(column.nan_to_num(0).argmax())
        sentence = page.locator(".cw-status").inner_text()
        assert sentence.startswith(f"head 1, key “bank” gets the most from “{TOKENS[best]}”")
        assert state_text(page)["key"] == 1


def test_heads_are_ordered_and_filtered_by_a_score(open_page):
    scores = 2 * torch.randn(3, 4, 8, 8)
    scores[1, 2, torch.arange(1, 8), torch.arange(7)] += 9
    weights = torch.softmax(scores, dim=-1)
    with open_page(AttentionExplorer(scores, TOKENS)) as page:
        order = page.get_by_label("order")
        page.locator(".cw-board").click(position=position_in(page, 6, 4, 8))
        page.get_by_role("button", name="order heads by this cell").click()
        assert page.locator(".cw-says").inner_text() == "weight from “my” on “river”"

        def best(number):
            order.select_option(number)
            page.get_by_label("show").select_option("best 4")
            expect(page.locator(".cw-ordered button")).to_have_count(4)
            return page.locator(".cw-ordered button span").all_inner_texts()

        for name, expected in (
            ("previous", torch.stack([previous_token_score(layer[None]) for layer in weights])),
            ("entropy", torch.stack([entropy_score(layer[None]) for layer in weights])),
            ("this cell", weights[:, :, 6, 4]),
        ):
            flat = expected.flatten()
            wanted = flat.argsort(descending=True)[:4].tolist()
            texts = best(name)
            assert [text.split()[0] for text in texts] == [f"{i // 4}.{i % 4}" for i in wanted]
            numbers = [float(text.split()[1]) for text in texts]
            assert numbers == pytest.approx(flat[wanted].tolist(), abs=0.0051)
        order.select_option("previous")
        expect(page.locator(".cw-ordered span").first).to_have_text(re.compile("^1"))
        page.locator(".cw-ordered button").first.focus()
        page.keyboard.press("Home")
        assert page.locator(".cw-status").inner_text().startswith("layer 1, head 2,")
        order.select_option("layer")
        expect(page.locator(".cw-heads button")).to_have_count(12)


def test_down_goes_to_the_next_layer(open_page):
    with open_page(AttentionExplorer(torch.randn(3, 4, 8, 8), TOKENS, layer=1, head=2)) as page:
        page.get_by_role("radio", name="layer 1, head 2").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        assert page.locator(".cw-status").inner_text().startswith("layer 2, head 3,")
        page.keyboard.press("ArrowDown")  # there is no layer below
        assert page.locator(".cw-status").inner_text().startswith("layer 2, head 3,")


def test_pinned_and_chosen_are_compared(open_page):
    scores = 1.5 * torch.randn(3, 8, 8)
    weights = torch.softmax(scores, dim=-1)
    with open_page(AttentionExplorer(scores, TOKENS, query=3, head=2)) as page:
        page.get_by_role("button", name="pin to compare").click()
        page.get_by_role("radio", name="head 1").click()
        texts = bar_texts(page)
        assert close(percents(texts), weights[1, 3])
        difference = weights[1, 3] - weights[2, 3]
        shown = [float(t.split("(")[1].split("%")[0].replace("−", "-")) / 100 for t in texts]
        assert close(torch.tensor(shown), difference)

        radio(page, "map of", "difference").click()
        title = page.locator(".cw-one-head h4").inner_text()
        assert title.startswith("head 1 minus head 2")
        assert "difference" in page.locator(".cw-scale").first.inner_text()
        pixels = page.evaluate(
            """() => [...document.querySelector('.cw-board canvas').getContext('2d')
                .getImageData(0, 0, 8, 8).data]"""
        )
        pixels = torch.tensor(pixels).view(8, 8, 4).double()
        more = weights[1] - weights[2]
        clear = more.abs() > 0.05
        green = pixels[..., 1] > pixels[..., 0]
        assert clear.any() and (green == (more > 0))[clear].all()
        page.get_by_role("button", name="unpin").click()
        assert "difference" not in page.locator(".cw-scale").first.inner_text()


def position_in(page, row, column, count):
    """The middle of a cell of the map, for a click on it."""
    box = page.locator(".cw-board").bounding_box()
    x, y = ((i + 0.5) / count for i in (column, row))
    return {"x": x * box["width"], "y": y * box["height"]}


def test_the_map_is_walked_with_the_arrow_keys(open_page):
    scores = 1.5 * torch.randn(2, 8, 8)
    weights = torch.softmax(scores, dim=-1)
    with open_page(AttentionExplorer(scores, TOKENS, query=2)) as page:
        page.get_by_role("application").focus()
        for key in ("Home", *("ArrowDown",) * 2, "ArrowRight", *("ArrowUp",) * 2, "ArrowDown"):
            page.keyboard.press(key)
        spoken = page.locator(".cw-spoken")
        assert spoken.get_attribute("aria-live") == "polite"
        text = spoken.inner_text()
        assert text.startswith("query the, key bank, ")
        assert close(percents([text.split()[-1]]), weights[0, 3, 1][None])
        assert close(bars(page), weights[0, 3])
        assert page.locator(".cw-status").get_attribute("aria-live") == "off"  # one voice
        state = state_text(page)
        assert (state["query"], state["key"]) == (2, None)  # nothing is chosen yet
        page.keyboard.press("End")
        assert spoken.inner_text().startswith("query the, key loan, ")
        page.keyboard.press("ArrowRight")  # there is none
        assert spoken.inner_text().startswith("query the, key loan, ")
        page.keyboard.press("Enter")
        state = state_text(page)
        assert (state["query"], state["key"]) == (3, 7)
        page.keyboard.press("PageDown")
        assert "query “loan”" in page.locator(".cw-status").inner_text()
        page.keyboard.press("Escape")
        assert "query “the”" in page.locator(".cw-status").inner_text()


def test_words_of_the_text_are_reached_by_keyboard(open_page):
    explorer = AttentionExplorer(torch.randn(8, 8), TOKENS, query=6, state={"view": "text"})
    with open_page(explorer) as page:
        words = page.locator(".cw-text button")
        assert words.evaluate_all("nodes => nodes.filter(n => n.tabIndex === 0).length") == 1
        radio(page, "view", "text").focus()
        page.keyboard.press("Tab")
        focused = "document.activeElement.textContent"
        assert page.evaluate(focused) == "The"
        for key in ("End", "ArrowLeft", "ArrowLeft", "ArrowRight", "Home", "ArrowRight"):
            page.keyboard.press(key)
        assert page.evaluate(focused) == "bank"
        assert words.evaluate_all("nodes => nodes.findIndex(n => n.tabIndex === 0)") == 1
        name = words.nth(1).get_attribute("aria-label")
        assert name.startswith("bank: ") and name.endswith("%")
        page.keyboard.press("Enter")
        assert "key “bank”" in page.locator(".cw-status").inner_text()


def test_the_list_of_heads_says_that_it_goes_on(open_page):
    scores = 2 * torch.randn(30, 9, 12, 12)
    words = TOKENS + TOKENS[:4]
    with open_page(AttentionExplorer(scores, words, layer=25, head=3), width=1280) as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        more, grid = page.locator(".cw-more"), page.locator(".cw-heads")
        chosen = grid.get_by_role("radio", checked=True)

        def sights():
            """Whether the chosen head is in sight in the list, and how far that is scrolled."""
            box, frame = chosen.bounding_box(), grid.bounding_box()
            above, below = frame["y"] - box["y"], frame["height"] - box["height"]
            return -below - 1 <= above <= 1, grid.evaluate("node => node.scrollTop")

        expect(more).not_to_be_empty()
        assert sights()[0]
        assert in_sight(page, ".cw-more") and "above" in more.inner_text()
        page.get_by_label("order").select_option("previous")
        page.locator(".cw-ordered").wait_for()
        assert sights()[1] == 0  # another order begins at its top
        assert "more below" in more.inner_text() and "above" not in more.inner_text()
        below = int(more.inner_text().split()[0])
        end = sum(grid.bounding_box()[name] for name in ("y", "height"))
        middles = "all => all.map(box => box.getBoundingClientRect()).map(b => b.y + b.height / 2)"
        found = grid.locator("button > i").evaluate_all(middles)
        assert below == sum(middle > end for middle in found) < len(found) == 270
        grid.evaluate("node => { node.scrollTop = node.scrollHeight; }")
        expect(more).to_have_text(re.compile(r"^\d+ above ▴$"))
        page.get_by_label("order").select_option("layer")
        expect(page.locator(".cw-ordered")).to_have_count(0)
        assert sights()[0]
        page.set_viewport_size({"width": 768, "height": 1024})
        page.get_by_text("Save or give back").click()
        page.get_by_label("state, for Python").scroll_into_view_if_needed()
        assert in_sight(page, '[aria-label="state, for Python"]')


@pytest.mark.parametrize("width", sorted(WIDTHS))
def test_comparing_does_not_move_the_map(open_page, width):
    scores = 2 * torch.randn(12, 12, 24, 24)
    explorer = AttentionExplorer(scores, TOKENS * 3, causal=True, layer=10, head=10)
    with open_page(explorer, width=width) as page:
        board = page.locator(".cw-board")
        start = board.bounding_box()

        def stays():
            page.evaluate("new Promise(requestAnimationFrame)")
            page.evaluate("scrollTo(0, 0)")
            return board.bounding_box() == start

        page.get_by_role("button", name="pin to compare").click()
        assert stays()
        page.get_by_role("radio", name="layer 10, head 9").click()
        for name in ("pinned", "difference", "this", "difference"):
            radio(page, "map of", name).click()
            assert stays(), name
        page.get_by_label("stretch colours").check()
        assert stays()
        page.get_by_role("button", name="overlay", exact=True).click()
        assert stays()
        page.get_by_role("button", name="unpin").click()
        assert stays()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_saved_picture_holds_the_pinned_bars(open_page, tmp_path):
    scores = 1.5 * torch.randn(3, 8, 8)
    weights = torch.softmax(scores, dim=-1)
    with open_page(AttentionExplorer(scores, TOKENS, query=3)) as page:
        page.get_by_role("button", name="pin to compare").click()
        page.get_by_role("radio", name="head 2").click()
        page.get_by_text("Save or give back").click()
        _, rects, texts, _ = parts_of(saved(page, "SVG", tmp_path).read_text(encoding="utf-8"))
    texts = [node.text for node in texts]

    def drawn(fill):
        """The bars of one head, as shares of their full width, without the key's little mark."""
        widths = [float(node.get("width")) for node in rects if node.get("fill") == fill]
        return torch.tensor(widths[:8]).double() / 130

    assert torch.allclose(drawn(ROLES["weights"]), weights[2, 3].double(), atol=0.001)
    assert torch.allclose(drawn("url(#pinned)"), weights[0, 3].double(), atol=0.001)
    differences = [text for text in texts if text.endswith("%)")]
    got = [float(t.split("(")[1].split("%")[0].replace("−", "-")) / 100 for t in differences]
    assert close(torch.tensor(got), weights[2, 3] - weights[0, 3])
    assert any("pinned: " in text and "minus pinned" in text for text in texts)


def test_small_maps_have_the_colours_of_their_heads(open_page):
    scores = 2 * torch.randn(3, 4, 8, 8)
    weights = torch.softmax(scores, dim=-1)
    with open_page(AttentionExplorer(scores, TOKENS), width=1280) as page:
        page.get_by_label("order").select_option("entropy")
        page.locator(".cw-ordered").wait_for()
        # The middle of each cell, by the place of its tile on the one canvas.
        middles = """() => {
            const sheet = document.querySelector('.cw-sheet');
            const from = sheet.getBoundingClientRect(), { width, height } = sheet;
            const { data } = sheet.getContext('2d').getImageData(0, 0, width, height);
            return [[0, 1], [2, 3]].map(([layer, head]) => {
                const name = `[aria-label="layer ${layer}, head ${head}"] .cw-tile`;
                const box = document.querySelector(name).getBoundingClientRect();
                return Array.from({ length: 64 }, (_, i) => {
                    const x = box.left - from.left + (i % 8 + 0.5) / 8 * box.width;
                    const y = box.top - from.top + (Math.floor(i / 8) + 0.5) / 8 * box.height;
                    const at = 4 * (Math.floor(y) * width + Math.floor(x));
                    return [...data.slice(at, at + 3)];
                });
            });
        }"""
        expected = colours_of(torch.stack([weights[0, 1], weights[2, 3]]), "light")
        for _ in range(600):  # they are painted a few at a time
            shown = torch.tensor(page.evaluate(middles)).view(2, 8, 8, 3)
            if (shown - expected).abs().max() <= 1:
                return
            page.wait_for_timeout(50)
        raise AssertionError("the small maps never have the colours of their weights")


def test_stretched_colours_are_marked_and_saved(open_page, tmp_path):
    explorer = AttentionExplorer(0.1 * torch.randn(8, 8), TOKENS, causal=True, query=4)
    with open_page(explorer, color_scheme="dark") as page:
        page.get_by_text("Save or give back").click()

        plain = saved(page, "SVG", tmp_path).read_text(encoding="utf-8")
        assert "stretched" not in plain + page.locator(".cw-scale").inner_text()
        assert "rgb(69 38 0)" in plain  # the first row's 1, as on white paper
        page.get_by_label("stretch colours").check()
        assert ", stretched" in page.locator(".cw-scale").inner_text()
        picture = saved(page, "SVG", tmp_path).read_text(encoding="utf-8")
        assert "stretched" in picture
        root, _, texts, paths = parts_of(picture)
        # The edge of the triangle.
        assert sum(path.get("d").startswith("M0 0H1") for path in paths) == 1
        texts = [node.text for node in texts]
        assert set(TOKENS) <= set(texts) and any("query “river”" in text for text in texts)
        with Image.open(saved(page, "PNG", tmp_path)) as image:
            sizes = [2 * int(float(root.get(name))) for name in ("width", "height")]
            assert list(image.size) == sizes


def test_reset_and_the_state_in_python(open_page):
    scores, values = torch.randn(3, 8, 8), torch.randn(3, 8, 4)
    explorer = AttentionExplorer(scores, TOKENS, values, head=1, query=2)
    with open_page(explorer) as page:
        first = state_text(page)
        assert first == explorer.state
        page.get_by_label("causal mask").check()
        page.get_by_label("temperature").fill("0.4")
        page.get_by_role("button", name="overlay", exact=True).click()
        page.get_by_role("radio", name="head 2").click()
        page.get_by_role("button", name="pin to compare").click()
        radio(page, "view", "lines").click()
        state = state_text(page)
        assert (state["overlay"], state["pinned"], state["view"]) == ([[0, 1]], [0, 2], "lines")
        given_back = AttentionExplorer(scores, TOKENS, values, state=state)
        assert given_back.state == state
        page.get_by_role("button", name="reset").click()
        assert state_text(page) == first
    with open_page(given_back, as_it_opens=True) as page:  # what is chosen is in sight
        assert state_text(page) == state
        assert page.locator(".cw-lines").is_visible()


def test_five_steps_of_one_row_have_torchs_numbers(open_page):
    scores, values = 1.5 * torch.randn(2, 8, 8), torch.randn(2, 8, 3)
    temperature, query = 2.0, 5
    state = {"view": "steps", "head": 1, "causal": True, "temperature": temperature}
    explorer = AttentionExplorer(scores, TOKENS, values, query=query, state=state)
    allowed = causal_mask(8)[query]
    scaled = scores[1, query] / temperature
    masked = scaled.masked_fill(~allowed, -math.inf)
    powers = torch.exp(masked - masked.max())
    weights = torch.softmax(masked, dim=-1)
    with open_page(explorer) as page:

        def column(number):
            cells = page.locator(f".cw-row-steps tbody td:nth-of-type({number})").all_inner_texts()
            numbers = [cell.replace("−∞", "-inf").replace("−", "-") for cell in cells]
            return torch.tensor([float(number) for number in numbers])

        def agree(got, expected):
            return torch.allclose(got, expected, atol=0.00051, rtol=0)

        next_step = page.get_by_role("button", name="next step")
        assert agree(column(1), scores[1, query])
        next_step.click()
        assert agree(column(2), scaled)
        next_step.click()
        assert agree(column(3), masked)
        next_step.click()
        names = page.locator(".cw-row-steps thead th").all_inner_texts()
        for name, numbers in (("e^(…)", powers), ("weight", weights)):
            assert agree(column(names.index(name)), numbers)
        next_step.click()
        foot = page.locator(".cw-row-steps tfoot td").last.inner_text().replace("−", "-")
        context = torch.tensor([float(number) for number in foot.strip("[]").split()])
        torch.testing.assert_close(context, weights @ values[1], atol=0.0051, rtol=0)
        # Pointing shows another query's steps.
        page.locator(".cw-board").hover(position=position_in(page, 0, 0, 8))
        first = page.locator(".cw-row-steps tbody td").first.inner_text().replace("−", "-")
        assert first == f"{scores[1, 0, 0]:.3f}"
        assert "query “The”" in page.locator(".cw-status").inner_text()


def test_weights_on_the_text_and_lines_between_words(open_page):
    scores = 2 * torch.randn(3, 8, 8)
    weights = torch.softmax(scores, dim=-1)
    explorer = AttentionExplorer(scores, TOKENS, query=6, state={"view": "text"})
    with open_page(explorer) as page:
        titles = page.locator(".cw-text button").evaluate_all("nodes => nodes.map(n => n.title)")
        assert close(percents([title.rpartition(": ")[2] for title in titles]), weights[0, 6])
        assert page.locator(".cw-text .cw-here").inner_text() == "my"
        page.locator(".cw-text button").nth(4).click()
        assert "key “river”" in page.locator(".cw-status").inner_text()

        radio(page, "view", "lines").click()
        radio(page, "question", "where does it look").click()
        drawn = "nodes => nodes.map(n => n.getAttribute('d').split('M').length - 1)"
        pale = page.locator(".cw-lines .cw-pale path")
        assert sum(pale.evaluate_all(drawn)) == int((weights[0] >= 0.02).sum())
        clear = page.locator(".cw-lines line")
        of_river = weights[0, 4][weights[0, 4] >= 0.02]  # "river" was asked about above
        strokes = clear.evaluate_all("nodes => nodes.map(n => n.getAttribute('stroke'))")
        shown = torch.tensor([[int(part) for part in s[4:-1].split()] for s in strokes])
        assert shown.shape == (len(of_river), 3)
        assert (shown - colours_of(of_river, "light")).abs().max() <= 1
        page.get_by_role("radio", name="head 2").click()
        page.get_by_role("button", name="overlay", exact=True).click()
        page.get_by_role("radio", name="head 0").click()
        both = int((weights[0] >= 0.02).sum() + (weights[2] >= 0.02).sum())
        assert sum(pale.evaluate_all(drawn)) == both
        strokes = clear.evaluate_all("nodes => nodes.map(node => node.getAttribute('stroke'))")
        assert len(set(strokes)) == 2
        radio(page, "view", "bars").click()
        assert page.locator(".cw-bars .cw-track").first.locator("i").count() == 2


def test_weights_lie_on_the_picture_by_pointer_and_by_keyboard(open_page, axe, each_look):
    weights = torch.softmax(2 * torch.randn(2, 7, 7), dim=-1)
    picture = torch.rand(20, 30, 3)
    explorer = AttentionExplorer.from_weights(weights, picture=picture, query=3)
    with open_page(explorer) as page:
        patches = page.locator(".cw-patches button")
        image = page.get_by_alt_text("the picture, in 2 rows of 3 patches")
        assert image.evaluate("node => [node.naturalWidth, node.naturalHeight]") == [30, 20]

        def says():
            titles = page.locator(".cw-text button").evaluate_all("all => all.map(n => n.title)")
            return [title.rpartition(": ")[2] for title in titles]

        assert close(percents(says()), weights[0, 3]) and patches.count() == 6
        here = patches.nth(2).bounding_box()
        place = image.bounding_box()
        assert abs(here["x"] + here["width"] - place["x"] - place["width"]) < 1
        share = weights[0, 3, 3] / weights[0, 3].max()
        colour = patches.nth(2).evaluate("node => getComputedStyle(node).backgroundColor")
        assert abs(float(colour.rpartition("/")[2].strip(" )")) - 0.9 * share) < 0.01
        patches.nth(5).click()
        assert close(percents(says()), weights[0, 6])
        page.keyboard.press("ArrowUp")  # from the last patch to the one above it
        page.keyboard.press("Enter")
        assert page.locator(".cw-text .cw-here").get_attribute("title").startswith("0,2: ")
        radio(page, "question", "who looks at it").click()
        assert close(percents(says()), weights[0, :, 3])
        for look in each_look(page, "explorer_picture", sorted(WIDTHS)):
            assert axe(page) == [], look


def test_a_token_is_searched(open_page):
    tokens = [f"word{i}" for i in range(60)]
    with open_page(AttentionExplorer(torch.randn(60, 60), tokens, query=2)) as page:
        field = page.get_by_label("search a query")
        field.fill("word4")
        hits = page.get_by_role("group", name="tokens found")
        assert hits.get_by_role("button").count() == 10  # of 11
        assert hits.inner_text().endswith("and 1 more")
        field.press("Enter")
        assert "query “word4”" in page.locator(".cw-status").inner_text()
        field.press("Enter")
        assert "query “word40”" in page.locator(".cw-status").inner_text()
        page.get_by_role("button", name="query after").click()
        assert "query “word41”" in page.locator(".cw-status").inner_text()
        field.fill("nothing")
        assert hits.inner_text() == "not among the tokens"


@pytest.mark.parametrize("shape", [(30, 9, 40), (24, 16, 64), (1, 16, 512)])
def test_real_sizes_are_exact_where_one_points(open_page, shape):
    layers, heads, length = shape
    scores = 2 * torch.randn(layers, heads, length, length)
    tokens = [f"t{i}" for i in range(length)]
    place = layers - 1, heads - 1
    weights = torch.softmax(scores[place].masked_fill(~causal_mask(length), -math.inf), dim=-1)
    explorer = AttentionExplorer(scores, tokens, causal=True, layer=place[0], head=place[1])
    with open_page(explorer, width=1280) as page:
        board = page.locator(".cw-board")
        width = board.bounding_box()["width"]
        assert page.locator(".cw-board canvas").evaluate("c => c.width") <= width + 1

        for query, key in ((length - 3, length // 3), (length // 2, 0)):
            board.hover(position=position_in(page, query, key, length))
            readout = page.locator(".cw-readout").inner_text()
            assert readout.startswith(f"“t{query}” → “t{key}”")
            moved = explorer.rounding["scores"]
            assert moved < 0.001
            assert close(percents([readout.split()[-1]]), weights[query, key][None], moved)
            top = weights[query].sort(descending=True).values[:12]
            assert close(bars(page), top, moved)
        # No more digits than hold: far colder, none behind the point.
        page.get_by_label("temperature").fill("-1.5")
        texts = bar_texts(page)
        assert all("." not in text for text in texts)


def stops(page):
    """How many controls are on the page: what the tab key reaches, one for each group."""
    return page.locator(".cw").evaluate(
        """root => [...root.querySelectorAll('button, input, select, summary, [tabindex]')]
            .filter(node => node.checkVisibility() && node.tabIndex >= 0).length"""
    )


@pytest.mark.parametrize("width", sorted(WIDTHS))
def test_it_opens_with_sentence_heads_and_lines(open_page, width):
    """But on a phone all on one screen, with the numbers of the cell that is spoken of."""
    scores, values = torch.randn(12, 12, 32, 32), torch.randn(12, 12, 32, 64)
    explorer = AttentionExplorer(scores, TOKENS * 4, values, causal=True, layer=5, head=3)
    with open_page(explorer, width=width, as_it_opens=True) as page:
        page.set_viewport_size({"width": width, "height": WIDTHS[width]})
        assert stops(page) <= 12
        for part in (".cw-status", ".cw-heads", ".cw-board", ".cw-readout", ".cw-lines-box"):
            assert page.locator(part).first.is_visible()
            assert width == min(WIDTHS) or in_sight(page, part), part
        for words in ("nats", "pin to compare", "stretch colours", "order heads by this cell"):
            assert not page.get_by_text(words).first.is_visible()
        assert page.locator(".cw-status").evaluate("n => n.scrollWidth <= n.clientWidth")
        more = page.get_by_role("button", name="More", exact=True)
        assert more.get_attribute("aria-expanded") == "false"
        more.click()
        assert stops(page) > 12
        assert page.get_by_text("pin to compare").is_visible()
        page.get_by_role("button", name="Less", exact=True).click()
        assert stops(page) <= 12


def test_a_long_token_is_whole_in_the_status(open_page):
    tokens = [*TOKENS[:7], "a-token-of-many-letters-" * 4]
    scores = torch.zeros(8, 8).index_fill(-1, torch.tensor([7]), 5.0)
    with open_page(AttentionExplorer(scores, tokens), width=390, as_it_opens=True) as page:
        status = page.locator(".cw-status")
        assert tokens[7] in status.inner_text()
        assert status.evaluate("n => n.scrollWidth <= n.clientWidth + 1")
        assert status.evaluate("n => n.scrollHeight <= n.clientHeight + 1")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_axe_finds_nothing_in_any_view(open_page, axe, each_look):
    scores, values = 2 * torch.randn(6, 4, 12, 12), torch.randn(6, 4, 12, 8)
    explorer = AttentionExplorer(scores, TOKENS + TOKENS[:4], values, causal=True, query=7)
    with open_page(explorer, reduced_motion="reduce") as page:

        def check(name):
            for look in each_look(page, f"explorer_{name}", sorted(WIDTHS)):
                assert axe(page) == [], (name, look)

        for view in ("bars", "text", "lines", "steps"):
            radio(page, "view", view).click()
            check(view)
        radio(page, "question", "who looks at it").click()
        page.get_by_role("button", name="pin to compare").click()
        page.get_by_role("button", name="overlay", exact=True).click()
        page.get_by_role("radio", name="layer 0, head 1").click()
        radio(page, "map of", "difference").click()
        radio(page, "view", "bars").click()
        page.get_by_text("Save or give back").click()
        page.get_by_text("As a table").click()
        check("compared")


def test_the_cell_that_is_spoken_of_is_the_strongest_until_another_is_chosen(open_page):
    weights = torch.tensor([[0.1, 0.7, 0.2], [0.2, 0.2, 0.6], [0.8, 0.1, 0.1]])
    explorer = AttentionExplorer.from_weights(weights, ["x", "y", "z"], query=1)
    with open_page(explorer, as_it_opens=True) as page:
        said = page.locator(".cw-readout")
        assert said.inner_text().startswith("“y” → “z” 60.0%")
        page.get_by_role("radiogroup", name="query").get_by_role("radio", name="z").click()
        page.mouse.move(0, 0)
        assert said.inner_text().startswith("“z” → “x” 80.0%")
