"""The pages "Break the model" and "Caption or chance?" in Chromium, with and without the model.

tests/browser/test_site.py looks at them too: narrow and wide, light and dark, with axe-core.
"""

import base64
import gzip
import io
import json
import re
from urllib.parse import urlencode

import pytest
from PIL import Image
from playwright.sync_api import expect

from tools.notebooks.notebook_files import ROOT
from tools.site.bets import bets_stored
from tools.site.break_page import read_broken
from tools.site.local_server import served
from tools.site.surprises import read_surprises

BROKEN, EFFECTS = read_broken(), read_surprises()["effects"]
HABITS = json.loads((ROOT / "docs" / "habits.json").read_text(encoding="utf-8"))
LESSON = "notebooks/16_real_language_model.html"
MODEL_SECONDS = 240  # on a busy machine
# Chromium itself asks for the tab's icon again when an address changes, with or without a network.
ICON = "/_static/mark.svg"
NO_NETWORK = "Failed to load resource: net::ERR_INTERNET_DISCONNECTED"


@pytest.fixture(scope="module")
def address(site):
    """The site on a server of its own."""
    with served(site) as (address, _):
        yield address.removesuffix("/")


@pytest.fixture
def page(opened, address):
    with opened("about:blank", here=address, forgiven=[(NO_NETWORK, address + ICON)]) as page:
        yield page


def words(page):
    return " ".join(page.locator(".cw-sentence").inner_text().split())


def broken_sentence():
    return " ".join((BROKEN["text"] + "".join(BROKEN["words"] + BROKEN["without"])).split())


FOCUS = """() => {
    const node = document.activeElement, {outlineStyle, boxShadow} = getComputedStyle(node);
    return [node.textContent.trim(), node.getAttribute("role") ?? node.tagName,
        outlineStyle !== "none" || boxShadow !== "none"];
}"""


def head(page, layer, number):
    return page.locator(f"[role=gridcell][title^='layer {layer}, head {number}:']")


def test_it_opens_broken_and_each_head_can_be_tried_without_the_model(page, address):
    page.goto(f"{address}/docs/break.html")
    assert words(page) == broken_sentence()
    assert page.locator(".cw-sentence del").inner_text() == "".join(BROKEN["words"]).strip()
    same = sum(drawn is None for _, drawn in BROKEN["draws"])
    control = page.locator(".cw-control")
    expect(control).to_contain_text(f"{same} of {len(BROKEN['draws'])}")
    # Beside the texts: what the likeliest token does without these heads, and by chance.
    _, _, without, mean, *_ = BROKEN["next"][0]
    expect(control).to_contain_text(f"without these {without:.1%}, by chance {mean:.1%}")
    pairs = sum(words is not None for words in BROKEN["pairs"])
    expect(page.locator(".break-habits")).to_contain_text(f"{pairs} of the 269 others")
    head(page, *BROKEN["off"][0]).click()
    assert words(page) == BROKEN["text"] + "".join(BROKEN["words"])
    page.get_by_role("button", name="undo").click()
    expect(page.locator(".cw-sentence ins")).to_be_visible()
    assert words(page) == broken_sentence()
    # The next tokens: blank ones can be seen, and a full bar is the whole, whatever is off.
    tokens = page.locator(".cw-next tbody th").all_inner_texts()
    assert "␣" in tokens and all(token.strip() for token in tokens)
    bar = page.locator(".cw-next .cw-track i").first
    width = bar.evaluate("bar => bar.style.width")
    assert abs(float(width[:-1]) - 100 * BROKEN["next"][0][1]) < 0.01
    page.get_by_role("button", name="all on", exact=True).click()
    assert bar.evaluate("bar => bar.style.width") == width
    expect(page.locator(".cw-next tbody tr")).to_have_count(2)  # others may be as likely as a third
    expect(page.locator(".cw-status").first).to_contain_text("may be wrong all the same")
    page.get_by_role("button", name="undo").click()
    expect(page.locator(".cw-sentence ins")).to_be_visible()
    other = next(i for i, words in enumerate(BROKEN["pairs"]) if words and words[-1] == " (")
    head(page, *divmod(other, 9)).click()  # beside the main one, instead of the first
    fresh = page.locator(".cw-sentence ins").inner_text()
    assert fresh.strip() == "".join(BROKEN["pairs"][other][:-1]).strip() + " …"  # it was cut
    expect(control).to_contain_text("the median of the 269 others leaves “Paris” 14.0%")
    assert page.evaluate("scrollY") == 0  # though more is written
    # What a head does alone can be seen, though it changes no word: what is shown is the difference
    # of the probabilities, not of what they are rounded to.
    page.get_by_role("button", name="all on", exact=True).click()
    main = BROKEN["off"][-1]
    head(page, *main).click()
    left = BROKEN["thousandths"]["alone"][9 * main[0] + main[1]] / 1000
    row = page.locator(".cw-next tbody tr")
    expect(row).to_have_count(1)
    points = round(1000 * (left - BROKEN["next"][0][1])) / 10
    expect(row).to_contain_text(f"{left:.1%} −{-points:.1f}")
    # A head that is chosen has its habits below the heads, if any were found.
    (name, mean), *_ = HABITS["heads"]["previous token"].items()
    for title, says in (
        (name, f"looks one back: {mean:.2f} on four kept texts.*"),
        ("0.0", rf"^Once head \d of layer \d+ is off, {pairs} of the 269 others change a word\.$"),
    ):
        head(page, *title.split(".")).click()
        expect(page.locator(".break-habits")).to_have_text(re.compile(says))


def test_board_and_bars_are_in_view_and_a_phone_shows_all_heads(page, address):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{address}/docs/break.html")
    controls = page.locator(".cw.break :is(button, summary, select):visible").all_inner_texts()
    above = controls[: controls.index("undo")]  # the heads between them are no buttons
    assert [text.split(" (")[0] for text in above] == ["Load the model", "surprise me", "More"]
    expect(page.get_by_role("button", name="Search").locator("visible=true")).to_have_count(1)
    board, bars = page.locator(".cw-every").bounding_box(), page.locator(".cw-next").bounding_box()
    assert board["x"] + board["width"] <= bars["x"]
    save = page.get_by_role("button", name="save a picture").bounding_box()
    undo = page.get_by_role("button", name="undo").bounding_box()
    assert max(box["y"] + box["height"] for box in (board, bars, undo, save)) <= 720
    page.emulate_media(color_scheme="dark")
    square = page.locator("[role=gridcell][title$=': 0.00']").first.screenshot()
    ground, edge = Image.open(io.BytesIO(square)).convert("L").getextrema()
    assert edge - ground > 55  # it is seen where a head does nothing
    shade = "cell => getComputedStyle(cell).backgroundColor.match(/\\d+/g).map(Number)"
    cells = [page.locator(f"[role=gridcell][title$=': 0.{e}']").first for e in ("00", "05", "15")]
    none, small, more = (sum(cell.evaluate(shade)) for cell in cells)
    assert more - small > 60 < small - none  # of 765: small effects are told apart
    page.set_viewport_size({"width": 390, "height": 800})
    page.reload()
    boxes = [page.locator("[role=gridcell]").nth(i).bounding_box() for i in (0, 15 * 9, 30 * 9 - 1)]
    assert boxes[0]["x"] == boxes[1]["x"] > 0 and boxes[0]["y"] < boxes[1]["y"]  # two halves
    assert boxes[2]["x"] + boxes[2]["width"] <= 390


@pytest.mark.parametrize("width", [390, 820])
def test_two_taps_under_a_finger(opened, address, width):
    page_of = f"{address}/docs/break.html"
    with opened(page_of, here=address, width=width, has_touch=True, is_mobile=True) as page:
        sides = "cells => cells.flatMap(cell => [cell.offsetWidth, cell.offsetHeight])"
        found = page.get_by_role("gridcell").evaluate_all(sides)
        assert len(found) == 2 * 270 and min(found) >= 24
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        crosses = [cell.bounding_box() for cell in page.locator(".cw-off[role=gridcell]").all()]
        assert max(box["y"] + box["height"] for box in crosses) < 760  # on the first screen
        page.get_by_role("button", name="surprise me").tap()
        expect(page.locator(".cw-sentence")).not_to_contain_text(BROKEN["text"])
        expect(page.locator(".cw-control")).to_contain_text(re.compile(r"\d+ of 20 draws"))
        expect(page.get_by_text("heads look here is known once the model is")).to_be_visible()
        expect(page.locator(".break-hint")).to_contain_text("Found by search")
        expect(page.locator(".break-told")).to_be_empty()
        # Its effects and next tokens are told as those of the stored sentence.
        effects = base64.b64decode(EFFECTS[page.locator(".cw-words").inner_text()])
        cells = page.get_by_role("gridcell").evaluate_all("cells => cells.map(cell => cell.title)")
        assert [title.split()[4][:4] for title in cells] == [f"{e / 255:.2f}" for e in effects]
        expect(page.locator(".cw-board-legend")).to_contain_text("next word’s probability moves")
        expect(page.locator(".cw-next tbody tr")).to_have_count(8)
        # Of a head that is pressed its effect is told, and the sentence stays.
        (layer, number), shown, hint = BROKEN["off"][-1], words(page), page.locator(".break-hint")
        head(page, layer, number).tap()
        expect(hint).to_contain_text(f"effect of {effects[9 * layer + number] / 255:.2f} here")
        assert words(page) == shown
        page.go_back()
        expect(hint).to_be_empty()  # it was about the other sentence
        page.locator(".cw-maps summary").first.tap()  # the cell is the strongest of its row
        expect(page.locator(".cw-explorer .cw-status")).to_contain_text("most to “France”, 91")
        expect(page.locator(".cw-readout")).to_contain_text("“is” → “France” 91")


def test_without_the_weights_the_page_is_small(page, address, site):
    page.goto(f"{address}/docs/break.html", wait_until="networkidle")
    script = "performance.getEntries().map(entry => entry.name.split(/[?#]/)[0])"
    paths = {url.removeprefix(address) for url in page.evaluate(script) if url.startswith(address)}
    paths |= {f"/_static/breaker/{name}" for name in ("worker.js", "kernel.wasm", "manifest.json")}
    sizes = {path: len(gzip.compress((site / path[1:]).read_bytes())) for path in paths}
    assert "/_static/breaker/surprises.json" not in sizes  # until one asks for one of them
    assert len(sizes) > 5 and sum(sizes.values()) <= 250_000  # as hosts send them


def test_back_forward_and_a_reload_keep_all(page, address):
    page.goto(f"{address}/docs/break.html")
    undo, redo = (page.get_by_role("button", name=name, exact=True) for name in ("undo", "redo"))
    expect(undo).to_be_disabled()
    page.get_by_role("button", name="surprise me").click()
    sentence = page.locator(".cw-sentence")
    expect(sentence).not_to_contain_text(BROKEN["text"])
    expect(sentence.locator("ins")).to_be_visible()
    text = words(page)
    page.reload()
    assert words(page) == text
    expect(page.locator(".cw-board-legend")).to_contain_text("probability moves")  # scores, too
    page.go_back()
    expect(sentence).to_contain_text(BROKEN["text"])
    redo.click()
    expect(sentence).to_have_text(text)
    expect(redo).to_be_disabled()


def test_a_shared_link_shows_what_came_of_it_before_the_model_is_there(page, address):
    result = {"before": " Rome.", "after": " Milan.", "same": 7, "done": 8}
    result["next"] = ["Rome", 0.38, 0.044, 0.37]
    asked = urlencode({"text": "Hello there", "off": "23.4", "result": json.dumps(result)})
    page.goto(f"{address}/docs/break.html#{asked}")
    assert words(page) == "Hello there Rome. Milan."
    expect(page.locator(".cw-control")).to_contain_text("7 of 8 draws")
    expect(page.locator(".cw-control")).to_contain_text("all on 38.0%, without this one 4.4%")
    expect(page.locator(".cw-status").first).to_contain_text("computed before")
    page.goto("about:blank")
    page.goto(f"{address}/docs/break.html#text=Hello+there&off=23.4&result=%7B%22before%22%3A1%7D")
    assert words(page).startswith("Hello there")
    expect(page.locator(".cw-status").first).to_contain_text("load the model")


def test_a_saved_picture_hatches_what_was_not_measured(page, address):
    for hash, is_hatched in (("#text=Hello+there&off=23.4", True), ("", False)):
        page.goto("about:blank")
        page.goto(f"{address}/docs/break.html{hash}")
        with page.expect_download() as saved:
            page.get_by_role("button", name="save a picture").click()
        picture = Image.open(saved.value.path())
        assert picture.size == (1200, 630)
        inside = picture.crop((274, 61, 299, 80))  # of head 0 of layer 5
        assert (len(inside.getcolors()) > 1) == is_hatched


def test_by_keyboard(page, address):
    page.goto(f"{address}/docs/break.html")
    stops = []
    while len(stops) < 40:
        page.keyboard.press("Tab")
        text, role, is_marked = page.evaluate(FOCUS)
        if role == "BODY":  # no trap
            break
        assert is_marked, text
        stops.append((text.split(" (")[0], role))
    assert stops.index(("Load the model", "BUTTON")) < 6 > stops.index(("surprise me", "BUTTON"))
    assert [role for _, role in stops].index("gridcell") < 14 and len(stops) < 30
    grid, spoken = page.get_by_role("grid"), page.locator(".cw-spoken[role=status]")
    fresh, gone = ("".join(BROKEN[name]).strip() for name in ("without", "words"))
    expect(spoken).to_contain_text(f"it writes “{fresh}” in place of “{gone}”; by chance, ")
    names = grid.locator(".cw-head-names").first
    assert names.inner_text().split() == ["layer", "head", *"012345678"]
    assert grid.locator("[tabindex='0']").count() == 1
    layer, number = BROKEN["off"][-1]
    head(page, layer, number).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    focused = page.evaluate("document.activeElement.title")
    assert focused.startswith(f"layer {layer + 1}, head {number + 1}:")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")  # on again; the other one alone changes nothing
    expect(spoken).to_have_text(re.compile(r"One of .*not a word changes, and “.* goes from 77.3%"))
    expect(page.locator(".cw-sentence ins")).to_have_count(0)
    assert words(page) == BROKEN["text"] + "".join(BROKEN["words"])
    page.get_by_role("button", name="all on", exact=True).press("Enter")  # which ends its use
    assert page.evaluate("document.activeElement.textContent") == "undo"

    # What has the focus is not behind the sentence, which stays in view.
    page.goto("about:blank")
    page.goto(f"{address}/docs/break.html#text={'The+keys+to+the+old+cabinet+' * 7}")
    page.get_by_role("button", name="copy the link").focus()
    cell, sentence = grid.locator("[tabindex='0']"), page.locator(".cw-sentence")
    cell.evaluate("cell => scrollBy(0, cell.getBoundingClientRect().top - 80)")
    end = sentence.bounding_box()["y"] + sentence.bounding_box()["height"]
    assert cell.bounding_box()["y"] < end
    page.keyboard.press("Shift+Tab")
    expect(cell).to_be_focused()
    assert cell.bounding_box()["y"] >= end


def test_the_heads_stay_under_the_finger_and_a_reload_keeps_them(page, address):
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{address}/docs/break.html")
    for layer, number in (BROKEN["off"][-1], BROKEN["off"][0], (20, 3), BROKEN["off"][-1]):
        cell = head(page, layer, number)
        cell.hover()
        place = cell.bounding_box()["y"]
        cell.click()
        assert abs(cell.bounding_box()["y"] - place) < 1
    off = page.locator(".cw-off[role=gridcell]")
    chosen = off.evaluate_all("cells => cells.map(cell => cell.title)")
    assert [title.split(":")[0] for title in chosen] == ["layer 20, head 3", "layer 23, head 4"]
    page.reload()
    expect(off).to_have_count(2)
    assert off.evaluate_all("cells => cells.map(cell => cell.title)") == chosen


def test_a_link_keeps_sentence_and_heads(page, address):
    layer, number = BROKEN["off"][-1]
    page.goto(f"{address}/docs/break.html#text=Hello+there&off={layer}.{number},99.9,x")
    assert words(page).startswith("Hello there")
    assert page.locator(".cw-off[role=gridcell]").count() == 1
    expect(page.locator(".cw-status").first).to_contain_text("load the model")
    # What is known of the stored sentence is not said of another one.
    assert not page.locator(".cw-control").inner_text().strip()
    expect(page.locator(".cw-board-legend")).to_contain_text("once the model is loaded")
    page.get_by_role("button", name="copy the link").click()
    assert page.url.endswith(f"#text=Hello+there&off={layer}.{number}")
    # A text is shown whole, however long.
    page.evaluate("location.hash = '#text=' + 'word+'.repeat(300) + 'end'")
    expect(page.locator(".cw-words")).to_contain_text("word end")
    # Back and Forward lead from one sentence to the other.
    page.evaluate("location.hash = '#text=Good+morning'")
    assert words(page).startswith("Good morning")
    for _ in range(2):
        page.go_back()
    expect(page.locator(".cw-sentence")).to_contain_text("Hello there")


def test_only_pages_with_the_model_may_compile_it(site):
    allowed = [
        path.relative_to(site).as_posix()
        for path in site.rglob("*.html")
        if "_static" not in path.parts and "wasm-unsafe-eval" in path.read_text(encoding="utf-8")
    ]
    assert sorted(allowed) == ["docs/break.html", LESSON]


def test_from_a_folder_it_says_in_words_what_it_needs(browser, site):
    page = browser.new_page()
    page.goto((site / "docs" / "break.html").as_uri())
    assert page.get_by_role("button", name="Load the model").is_disabled()
    expect(page.locator(".break-loading")).to_contain_text("Serve the folder")
    page.close()


def test_a_small_device_is_told_why(page, address):
    page.add_init_script("Object.defineProperty(navigator, 'deviceMemory', { get: () => 1 })")
    page.goto(f"{address}/docs/break.html")
    expect(page.locator(".break-loading")).to_contain_text("less than 2 GB of memory")
    assert words(page) == broken_sentence()


def test_with_the_model_and_then_without_a_network(page, address, site):
    if not (site / "_static" / "breaker" / "manifest.json").is_file():
        pytest.skip("the site was built without the model")
    page.set_default_timeout(MODEL_SECONDS * 1000)
    page.goto(f"{address}/docs/break.html")
    page.get_by_role("button", name="Load the model").click()
    field = page.get_by_role("textbox", name="sentence")
    field.wait_for()
    sentence, control = page.locator(".cw-sentence"), page.locator(".cw-control")
    fresh, wait = "".join(BROKEN["without"]).strip(), {"timeout": MODEL_SECONDS * 1000}
    expect(sentence.locator("ins")).to_have_text(fresh, **wait)
    expect(control).to_contain_text(re.compile(r"\d of \w+ draws? so far"), **wait)
    # Who comes back to the page need not load again.
    page.goto(f"{address}/docs/caption_or_chance.html")
    page.go_back()
    field.wait_for()
    expect(sentence.locator("ins")).to_have_text(fresh, **wait)
    page.wait_for_load_state("networkidle")  # what is still on its way would be an error
    asked = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)
    expect(control).to_contain_text(re.compile(r"\d of \w+ draws? so far"), **wait)
    expect(page.locator(".cw-next th.cw-chance")).to_contain_text("2 others off")
    page.get_by_role("button", name="stop").click()

    # What cannot be read is said, and nothing is cut.
    told = page.locator(".break-told")
    field.fill("  ")
    field.press("Enter")
    expect(told).to_contain_text("nothing to write on from")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("radio", name="induction").click()  # each head alone takes longer than a test
    page.set_viewport_size({"width": 390, "height": 800})
    field.fill("The keys to the old cabinet in the hall of the house " * 15)
    field.press("Enter")
    expect(told).to_contain_text(re.compile(r"it has \d+ tokens, and the page reads at most 120"))
    expect(page.locator(".cw-off[role=gridcell]")).to_have_count(0)
    # A head of the first layer has eight others: each is taken once.
    field.fill("The capital of Spain is")
    field.press("Enter")
    expect(sentence).to_contain_text("Madrid", **wait)
    head(page, 0, 7).click()
    expect(control).to_contain_text(re.compile(r"\d of 8 draws of one other head, all"), **wait)
    expect(control).to_contain_text(re.compile(r"without this one \d.*by chance \d"))
    # The heads speak half as loud, or say what they say in another sentence of as many tokens.
    page.get_by_role("slider", name="the heads marked").fill("0.5")
    expect(control).to_contain_text("with this one at 0.5 times", **wait)
    head(page, 0, 7).click()
    head(page, *BROKEN["off"][-1]).click()
    source = page.get_by_role("textbox", name="text to patch from")
    source.fill("The capital of Japan is")
    source.press("Enter")
    expect(sentence.locator("ins")).to_contain_text("Tokyo", **wait)
    expect(control).to_contain_text(re.compile(r"\d of \w+ draws?.* of one other head"), **wait)
    expect(page.locator(".cw-next th.cw-chance")).to_contain_text("1 other patched")
    source.fill("Japan")
    source.press("Enter")
    expect(told).to_contain_text("must have as many tokens", **wait)
    source.fill("")
    source.press("Enter")
    # The table is that of the temperature.
    likeliest = page.locator(".cw-next tbody td").nth(1)
    expect(page.locator(".cw-next th.cw-without")).to_contain_text("at 0.5 times", **wait)
    cold = likeliest.inner_text()
    page.get_by_role("slider", name="temperature").fill("1.5")
    expect(page.locator(".cw-next")).to_contain_text("at temperature 1.5", **wait)
    assert float(likeliest.inner_text()[:-1]) < float(cold[:-1]) - 5
    page.get_by_role("slider", name="temperature").fill("0")
    page.get_by_role("button", name="an induction").click()
    expect(sentence).to_contain_text("Mr Zorvle", **wait)
    expect(page.locator(".cw-next tbody tr")).to_have_count(8, **wait)
    page.get_by_role("button", name="all of layer").click()
    expect(page.locator(".cw-off[role=gridcell]")).to_have_count(9)
    page.get_by_role("button", name="undo").click()
    expect(page.locator(".cw-off[role=gridcell]")).to_have_count(0)
    page.locator(".cw-maps summary").first.click()
    expect(page.locator(".cw-maps .cw-explorer").first).to_be_visible(**wait)
    # The board fills while one waits; and the page opens again without a network.
    page.get_by_role("radio", name="effect when off").click()
    expect(page.locator(".cw-board-legend")).to_contain_text(
        re.compile(r"[1-9]\d* of 270 heads are tried so far"), **wait
    )
    assert set(asked) <= {address + ICON}
    text = page.locator(".cw-words").inner_text()
    page.reload()
    expect(page.locator(".cw-words")).to_have_text(text)
    field.wait_for()
    expect(sentence).to_contain_text("Mr Zorvle", **wait)


def test_the_lab_of_lesson_16_becomes_this_board_beside_a_second_tab(page, address, site):
    if not (site / "_static" / "breaker" / "manifest.json").is_file():
        pytest.skip("the site was built without the model")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/{LESSON}")
    button = page.get_by_role("button", name="Run the model")
    expect(button).to_be_enabled()
    assert not any("/breaker/" in url for url in asked)
    button.click()
    field = page.get_by_role("textbox", name="sentence")
    field.wait_for(timeout=MODEL_SECONDS * 1000)
    field.fill("The keys near the old cabinet")
    field.press("Enter")
    expect(page.locator(".cw-words")).to_have_text("The keys near the old cabinet")
    page.reload()  # the address keeps the sentence, and the browser the model
    field.wait_for(timeout=MODEL_SECONDS * 1000)
    expect(field).to_have_text("The keys near the old cabinet")
    expect(page.locator(".cw-every")).to_have_count(1)
    # A second tab has a model and a history of its own, and fetches no part again.
    asked.clear()
    other = page.context.new_page()
    other.on("request", lambda request: asked.append(request.url))
    other.goto(f"{address}/docs/break.html")
    other.get_by_role("button", name="Load the model (kept by this browser)").click()
    other.get_by_role("textbox", name="sentence").wait_for(timeout=MODEL_SECONDS * 1000)
    assert words(other).startswith(BROKEN["text"])
    assert words(page).startswith("The keys near the old cabinet")
    assert not any("/model." in url for url in asked)


def test_a_map_has_the_colours_of_a_dark_page_from_the_first_one(page, address):
    page.emulate_media(color_scheme="dark")
    page.goto(f"{address}/docs/caption_or_chance.html")
    corner = "c => [...c.getContext('2d').getImageData(0, 0, 1, 1).data].slice(0, 3)"
    first = page.locator(".bets-map canvas").evaluate(corner)  # the start looks at itself alone
    page.get_by_role("button", name="trained", exact=True).click()
    assert page.locator(".bets-map canvas").evaluate(corner) == first


def test_ten_bets_end_with_a_link(page, address):
    page.set_viewport_size({"width": 390, "height": 700})
    page.goto(f"{address}/docs/caption_or_chance.html#fooled=3")
    expect(page.locator(".bets-challenge")).to_contain_text("3 of 10")
    assert page.get_by_role("button", name="untrained").bounding_box()["y"] < 680  # in view
    bets = bets_stored()["bets"]
    for i, bet in enumerate(bets):
        assert page.locator(".cw-sentence").inner_text() == f"“{bet['caption']}”"
        page.get_by_role("button", name="trained", exact=True).click()
        found = page.locator(".bets-answer")
        expect(found).to_contain_text("untrained" if "untrained" in bet["model"] else "trained")
        expect(found).to_contain_text(f"{bet['number']:.2f}")
        right = sum("untrained" not in one["model"] for one in bets[: i + 1])
        expect(page.locator(".bets-count")).to_contain_text(f", {right} of {i + 1} right.")
        if i + 1 < len(bets):
            at = page.evaluate("scrollY")
            page.get_by_role("button", name="next map").click()
            assert page.evaluate("scrollY") == at  # the map stays where it is
    expect(page.locator(".bets-end")).to_contain_text("I was fooled 5 of 10.")
    page.evaluate("Math.random = () => 0")
    page.get_by_role("button", name="play again").click()
    expect(page.locator(".cw-sentence")).to_have_text(f"“{bets[1]['caption']}”")  # shuffled
    expect(page.get_by_role("button", name="trained", exact=True)).to_be_enabled()
