"""The pages "Break the model" and "Caption or chance?" in Chromium, with and without the model.

tests/browser/test_site.py looks at them too: narrow and wide, light and dark, with axe-core.
"""

import re

import pytest
from playwright.sync_api import expect

from tools.notebooks.notebook_files import ROOT
from tools.site.bets import bets_stored
from tools.site.break_page import read_broken
from tools.site.local_server import served

SITE = ROOT / "_site"
BROKEN = read_broken()
MODEL_SECONDS = 240  # on a busy machine
# Chromium itself asks for the tab's icon again when an address changes, with or without a network.
ICON = "/_static/mark.svg"
NO_NETWORK = "Failed to load resource: net::ERR_INTERNET_DISCONNECTED"


@pytest.fixture(scope="module")
def address():
    """The site on a server of its own."""
    if not (SITE / "docs" / "break.html").is_file():
        pytest.fail("there is no _site/docs/break.html: `make site` builds it")

    with served(SITE) as (address, _):
        yield address.removesuffix("/")


@pytest.fixture
def page(browser, address):
    """A page that fails if it errs, or asks another host for something."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page, complaints = context.new_page(), []

    def hear(message):
        url = message.location["url"]
        if message.type == "error" and (message.text, url) != (NO_NETWORK, address + ICON):
            complaints.append(f"{message.text} {url}")

    page.on("console", hear)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda r: (
            None if r.url.startswith((address, "data:", "blob:")) else complaints.append(r.url)
        ),
    )
    yield page
    context.close()
    assert complaints == []


def words(page):
    return " ".join(page.locator(".cw-sentence").inner_text().split())


def broken_sentence():
    return " ".join((BROKEN["text"] + "".join(BROKEN["words"] + BROKEN["without"])).split())


def head(page, layer, number):
    return page.locator(f"[role=gridcell][title^='layer {layer}, head {number}:']")


def test_it_opens_broken_and_each_head_can_be_tried_without_the_model(page, address):
    page.goto(f"{address}/docs/break.html")
    assert words(page) == broken_sentence()
    assert page.locator(".cw-sentence del").inner_text() == "".join(BROKEN["words"]).strip()
    same = sum(drawn is None for _, drawn in BROKEN["draws"])
    expect(page.locator(".cw-control")).to_contain_text(f"{same} of {len(BROKEN['draws'])}")

    # Beside the texts: what the likeliest token does without these heads, and by chance.
    _, _, without, mean, *_ = BROKEN["next"][0]
    expect(page.locator(".cw-control")).to_contain_text(
        f"without these {without:.1%}, by chance {mean:.1%}"
    )

    pairs = sum(words is not None for words in BROKEN["pairs"])
    expect(page.locator(".cw-control")).to_contain_text(f"{pairs} of the 269 others")

    (layer, number), _ = BROKEN["off"]
    head(page, layer, number).click()
    assert words(page) == BROKEN["text"] + "".join(BROKEN["words"])
    page.get_by_role("button", name="undo").click()
    assert words(page) == broken_sentence()
    # The next tokens: blank ones can be seen, and a full bar is the whole, whatever is off.
    tokens = page.locator(".cw-next tbody th").all_inner_texts()
    assert "␣" in tokens and all(token.strip() for token in tokens)
    bar = page.locator(".cw-next .cw-track i").first
    width = bar.evaluate("bar => bar.style.width")
    assert abs(float(width[:-1]) - 100 * BROKEN["next"][0][1]) < 0.01
    page.get_by_role("button", name="all on", exact=True).click()
    assert bar.evaluate("bar => bar.style.width") == width
    expect(page.locator(".cw-status").first).to_contain_text("may be wrong all the same")
    page.get_by_role("button", name="undo").click()
    other = next(
        i for i, words in enumerate(BROKEN["pairs"]) if words not in (None, BROKEN["without"])
    )
    head(page, *divmod(other, 9)).click()  # beside the main one, instead of the first
    fresh = page.locator(".cw-sentence ins").inner_text()
    assert fresh.strip() == "".join(BROKEN["pairs"][other]).strip()


def test_by_keyboard(page, address):
    page.goto(f"{address}/docs/break.html")
    for _ in range(6):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").startswith("Load the model"):
            break
    else:
        pytest.fail("the button that loads the model is more than six tabs away")
    grid = page.get_by_role("grid")
    names = grid.locator(".cw-head-names")
    assert names.first.inner_text().split() == ["layer", "head", *"012345678"]
    assert names.nth(1).is_hidden()  # of the second band, on a narrow page
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
    assert words(page) == BROKEN["text"] + "".join(BROKEN["words"])
    all_on = page.get_by_role("button", name="all on", exact=True)
    all_on.press("Enter")  # which ends its use
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


def test_the_heads_stay_under_the_finger_and_the_choice_goes_along(page, address):
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(address)
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
    page.get_by_role("link", name="Break it yourself").click()
    page.wait_for_url("**/break.html*")
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
    expect(page.locator(".cw-board-legend")).to_contain_text("not computed")
    page.get_by_role("button", name="copy the link").click()
    assert page.url.endswith(f"#text=Hello+there&off={layer}.{number}")
    # Back and Forward lead from one sentence to the other.
    page.evaluate("location.hash = '#text=Good+morning'")
    assert words(page).startswith("Good morning")
    page.go_back()
    expect(page.locator(".cw-sentence")).to_contain_text("Hello there")


def test_only_the_page_with_the_model_may_compile_it():
    allowed = [
        path.relative_to(SITE).as_posix()
        for path in SITE.rglob("*.html")
        if "_static" not in path.parts and "wasm-unsafe-eval" in path.read_text(encoding="utf-8")
    ]
    assert allowed == ["docs/break.html"]


def test_from_a_folder_it_says_in_words_what_it_needs(browser):
    page = browser.new_page()
    page.goto((SITE / "docs" / "break.html").as_uri())
    assert page.get_by_role("button", name="Load the model").is_disabled()
    expect(page.locator(".break-loading")).to_contain_text("Serve the folder")
    page.close()


def test_a_small_device_is_told_why(browser, address):
    page = browser.new_page()
    page.add_init_script("Object.defineProperty(navigator, 'deviceMemory', { get: () => 1 })")
    page.goto(f"{address}/docs/break.html")
    expect(page.locator(".break-loading")).to_contain_text("less than 2 GB of memory")
    assert words(page) == broken_sentence()
    page.close()


def test_with_the_model_and_then_without_a_network(page, address):
    if not (SITE / "_static" / "breaker" / "manifest.json").is_file():
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

    # A long sentence of one's own is seen whole, and begins with all heads on.
    page.get_by_role("radio", name="induction").click()  # each head alone takes longer than a test
    page.set_viewport_size({"width": 390, "height": 800})
    field.fill("The keys to the old cabinet in the hall of the house " * 3)
    assert field.evaluate("field => field.scrollHeight - field.clientHeight") <= 0
    field.press("Enter")
    expect(page.locator(".cw-off[role=gridcell]")).to_have_count(0)
    # A head of the first layer has eight others: each is taken once.
    field.fill("The capital of Spain is")
    field.press("Enter")
    expect(sentence).to_contain_text("Madrid", **wait)
    head(page, 0, 7).click()
    expect(control).to_contain_text(re.compile(r"\d of 8 draws of one other head, all"), **wait)
    expect(control).to_contain_text(re.compile(r"without this one \d.*by chance \d"))
    page.get_by_role("button", name="an induction").click()
    expect(sentence).to_contain_text("Mr Zorvle", **wait)
    expect(page.locator(".cw-next tbody tr")).to_have_count(8, **wait)
    page.get_by_role("button", name="all of layer").click()
    expect(page.locator(".cw-off[role=gridcell]")).to_have_count(9)
    page.get_by_role("button", name="undo").click()
    expect(page.locator(".cw-off[role=gridcell]")).to_have_count(0)
    page.locator(".cw-maps summary").first.click()
    expect(page.locator(".cw-maps .cw-explorer")).to_be_visible(**wait)
    assert set(asked) <= {address + ICON}


def test_a_map_has_the_colours_of_a_dark_page_from_the_first_one(browser, address):
    page = browser.new_page(color_scheme="dark")
    page.goto(f"{address}/docs/caption_or_chance.html")
    corner = "c => [...c.getContext('2d').getImageData(0, 0, 1, 1).data].slice(0, 3)"
    first = page.locator(".bets-map canvas").evaluate(corner)  # the start looks at itself alone
    page.get_by_role("button", name="trained", exact=True).click()
    assert page.locator(".bets-map canvas").evaluate(corner) == first
    page.close()


def test_ten_bets_end_with_a_link(page, address):
    page.set_viewport_size({"width": 390, "height": 700})
    page.goto(f"{address}/docs/caption_or_chance.html#fooled=3")
    expect(page.locator(".bets-challenge")).to_contain_text("3 of 10")
    bets = bets_stored()["bets"]
    for i, bet in enumerate(bets):
        assert page.locator(".cw-sentence").inner_text() == f"“{bet['caption']}”"
        page.get_by_role("button", name="trained", exact=True).click()
        found = page.locator(".bets-answer")
        expect(found).to_contain_text("untrained" if "untrained" in bet["model"] else "trained")
        expect(found).to_contain_text(f"{bet['number']:.2f}")
        if i + 1 < len(bets):
            at = page.evaluate("scrollY")
            page.get_by_role("button", name="next map").click()
            assert page.evaluate("scrollY") == at  # the map stays where it is
    expect(page.locator(".bets-end")).to_contain_text("I was fooled 5 of 10.")
