"""The front page's first screen in Chromium: it plays once, and answers each press."""

import json
import re
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from tools.site.break_page import read_broken

BROKEN = read_broken()
FIRST, LAST = (layer * 9 + head for layer, head in BROKEN["off"])
LEFT = BROKEN["thousandths"]
ALL = round(1000 * BROKEN["next"][0][1])
PLAY_SECONDS = 30  # on a busy machine; it takes six


@pytest.fixture
def front(opened, site):
    """A function that opens the front page; what moves on it is written down."""
    with ExitStack() as pages:

        def opened_front(**more):
            page = pages.enter_context(opened((site / "index.html").as_uri(), height=844, **more))
            page.evaluate(
                "window.shifts = []; new PerformanceObserver(list => shifts.push("
                "...list.getEntries().filter(one => !one.hadRecentInput).map(one => one.value)))"
                '.observe({type: "layout-shift", buffered: true});'
            )
            return page

        yield opened_front


def percent(page):
    return page.locator(".hero-bar b")


def square(page, head):
    return page.get_by_role("gridcell", name=f"head {head % 9} of layer {head // 9};")


def played(page):
    expect(page.locator(".hero-pairs .done")).to_have_count(20, timeout=PLAY_SECONDS * 1000)


def rounded(thousandths):
    return f"{round(thousandths / 10)}%"


# What does not agree in some frame: the bar and its number; the words of who listens and
# the bar or the headline; and what chance did before all pairs were tried.
SAID_EARLY = """() => {
    window.early = [];
    const [bar, share, status, fresh, found] = [
        ".hero-bar i", ".hero-bar b", ".hero-status", ".hero-fresh", ".hero-chance span"]
        .map(selector => document.querySelector(selector));
    const look = () => {
        const {width, right} = bar.parentElement.getBoundingClientRect();
        const drawn = 100 * (1 - (right - bar.getBoundingClientRect().right) / width);
        const left = parseFloat(share.textContent), said = status.textContent;
        const [isBroken, isFound] = [fresh, found].map(
            node => getComputedStyle(node).visibility === "visible");
        if (Math.abs(drawn - left) > 0.6) early.push([drawn, left]);
        if (said.includes("It says") !== isBroken || isBroken && left > 8) early.push([said, left]);
        if (isFound && document.querySelectorAll(".hero-pairs .done").length < 20) early.push("?");
        requestAnimationFrame(look);
    };
    look();
}"""
# How many places and sizes there are, after each of these heads, of the answer and what is below.
PLACES = """async heads => {
    const node = name => document.querySelector(`.hero-${name}`), places = new Set();
    for (const head of heads) {
        document.querySelectorAll(".hero-board button")[head].click();
        for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
        places.add([getComputedStyle(node("fresh")).fontSize,
            ...["bar", "pairs"].map(name => node(name).getBoundingClientRect().top)].join());
    }
    return places.size;
}"""
# The squares that are cut off, and the numbers of layers and heads that can be read.
BOARD = """board => {
    const seen = [...board.querySelectorAll("span")].filter(one => one.checkVisibility());
    const ends = [...board.querySelectorAll("button")].map(one => one.getBoundingClientRect());
    return {numbers: [...new Set(seen.map(one => +one.textContent))].sort((a, b) => a - b),
        cut: ends.filter(({left, right}) => left < 0 || right > innerWidth).length,
        least: Math.min(...ends.map(({width}) => width)),
        scrolls: board.scrollWidth > board.clientWidth};
}"""


@pytest.mark.parametrize("width, least", [(1280, 26), (768, 23), (390, 24)])
def test_it_plays_once_and_nothing_moves(front, width, least):
    page = front(width=width)
    page.evaluate(SAID_EARLY)
    expect(page.locator(".hero-status")).to_contain_text("Two of 270 heads", timeout=30_000)
    played(page)
    assert percent(page).inner_text() == rounded(LEFT["pairs"][FIRST]) == "8%"
    expect(page.locator(".hero-fresh")).to_have_text("New York City.", use_inner_text=True)
    expect(page.get_by_text("pairs by chance", exact=True)).to_be_visible()  # what the ticks are
    off = page.locator(".hero-board [aria-selected=true]")
    page.wait_for_timeout(1500)
    expect(off).to_have_count(2)
    assert page.evaluate("shifts.reduce((a, b) => a + b, 0)") < 0.01
    assert page.locator("#hero-switch").bounding_box()["y"] < 600  # and above it the control
    assert page.evaluate("early") == []
    at = "ticks => ticks.map(tick => parseFloat(tick.style.getPropertyValue('--at')))"
    assert page.locator(".hero-ticks .done").evaluate_all(at) == [n / 10 for n in LEFT["draws"]]
    board = page.locator(".hero-board").evaluate(BOARD)
    assert board["numbers"] == list(range(30)) and board["cut"] == 0 and not board["scrolls"]
    assert board["least"] >= least and off.last.bounding_box()["y"] < 820  # of a screen of 844


def test_every_press_moves_the_bar_to_what_was_measured(front):
    page = front(reduced_motion="reduce")
    played(page)
    undrawn, status = page.locator(".hero-undrawn"), page.locator(".hero-status")
    expect(undrawn).to_be_hidden()
    page.get_by_role("button", name="Switch them back on").click()
    assert percent(page).inner_text() == rounded(ALL)
    expect(page.locator(".hero-fresh")).to_be_hidden()
    bar = page.locator(".hero-track i")
    for head in (0, 100, 269):  # alone, none changes a word
        square(page, head).click()
        assert percent(page).inner_text() == rounded(LEFT["alone"][head])
        assert bar.get_attribute("style") == f"--left: {LEFT['alone'][head] / 10:g}%;"
        expect(status).to_contain_text("No word changes.")
    square(page, LAST).click()  # beside the last one
    assert percent(page).inner_text() == rounded(LEFT["pairs"][269])
    expect(undrawn).to_be_visible()
    expect(page.locator(".hero-chance span")).to_be_hidden()
    assert "again" not in status.inner_text()
    other = next(i for i, words in enumerate(BROKEN["pairs"]) if words and i != FIRST)
    square(page, other).click()
    expect(status).to_contain_text("At most two here: head 8 of layer 29 is on again.")
    fresh = page.locator(".hero-fresh").inner_text()
    assert fresh.removesuffix(" …") == "".join(BROKEN["pairs"][other]).strip()
    pair = page.locator(".hero-pairs button").nth(4)
    pair.click()
    assert pair.get_attribute("aria-pressed") == "true"
    assert percent(page).inner_text() == rounded(LEFT["draws"][4])
    expect(undrawn).to_be_hidden()
    off = ",".join(f"{layer}.{head}" for layer, head in BROKEN["draws"][4][0])
    address = page.get_by_role("link", name="Break it yourself").get_attribute("href")
    assert "docs/break.html#" in address and off in address.replace("%2C", ",")
    answers = {str(words): head for head, words in enumerate(BROKEN["pairs"])}
    for width in (1440, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(PLACES, [*answers.values()]) == 1


def test_who_touches_it_is_not_played_to(front):
    page = front()
    square(page, 5).click()
    status = page.locator(".hero-status")
    expect(status).to_have_text(re.compile("head 5 of layer 0.*(changes|instead)"))  # it arrived
    before = status.inner_text(), percent(page).inner_text()
    page.wait_for_timeout(3000)
    assert (status.inner_text(), percent(page).inner_text()) == before
    assert page.locator(".hero-pairs .done").count() == 20


def test_by_keyboard_each_board_is_one_stop(front):
    page = front(reduced_motion="reduce")
    played(page)
    square(page, LAST).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    focused = page.evaluate("document.activeElement.title")
    assert focused.startswith(f"head {LAST % 9 + 1} of layer {LAST // 9 + 1};")
    page.keyboard.press("Enter")
    assert percent(page).inner_text() == rounded(LEFT["pairs"][LAST + 10])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#hero')") is None
    page.locator("#hero-switch").focus()
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.title").startswith("pair 1 by chance")


def test_without_scripts_the_sentence_is_there_and_the_rest_is_said(front):
    page = front(java_script_enabled=False)
    text = page.locator("#hero").inner_text()
    assert "The capital of France is Paris." in re.sub(r"\s+", " ", text)
    assert percent(page).inner_text() == rounded(ALL)
    assert json.dumps("New York City.") in text  # what it says without the two
    expect(page.locator(".hero-chance")).to_contain_text("nothing happened")
    square = page.locator(".hero-board button").first.bounding_box()
    assert square["width"] >= 24 and square["height"] >= 24
