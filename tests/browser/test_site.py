"""The pages of `make site` in Chromium: no Python, no network, and everything on them works.

`make test-browser` builds the site first. Each page is opened once from its file, and looked at
narrow and wide, light and dark. On a lesson's page each link of the claims and of the glossary
leads into the reader's view.
"""

import re
import tomllib
from collections import defaultdict
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from playwright.sync_api import expect

from tools.notebooks.minutes import PREDICTION
from tools.notebooks.notebook_files import ROOT, find_notebooks, read_notebook
from tools.site import lab_in_browser
from tools.site.claims import read_claims
from tools.site.glossary import read_terms
from tools.site.lesson_pages import SUMMARY
from tools.site.live_widgets import shows_widgets
from tools.site.local_server import served
from tools.site.syllabus import LESSONS

QUESTIONS = Path(__file__).with_name("questions.toml")
WIDTHS = (1280, 390)
NOTEBOOKS = find_notebooks(ROOT, ("notebooks", "exercises"))
WIDGETS = ".cw:not(.cw .cw)"


def page_names():
    """The pages that the course must have, by their addresses."""
    notebooks = [path.relative_to(ROOT) for path in NOTEBOOKS]
    docs = [path.relative_to(ROOT) for path in sorted((ROOT / "docs").rglob("*.md"))]
    docs = [path for path in docs if "_templates" not in path.parts]
    names = [path.with_suffix(".html").as_posix() for path in (*notebooks, *docs)]
    return ["index.html", *names]


@pytest.fixture(scope="module")
def opened(opened):
    """Nothing plays in a page by itself, so that what is looked at does not change meanwhile."""
    return partial(opened, reduced_motion="reduce")


def assert_formulas_are_drawn(page):
    """They stand in the page as drawings, each with its MathML, and nothing is left as TeX."""
    formulas = page.locator("article .math")
    drawn = page.locator("article .math > mjx-container > svg")
    assert drawn.count() == formulas.count() == page.locator("article .math math").count()
    assert all(box["width"] > 2 for box in drawn.evaluate_all(SIZES))
    return drawn.count()


SIZES = """all => all.filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect())
    .map(({width, height}) => ({width, height}))"""


def touch(widget):
    """Choose the last radio button of each group, and see that the widget says so."""
    for group in widget.get_by_role("radiogroup").all():
        last = group.get_by_role("radio").last
        if last.is_visible():
            last.click()
            assert last.get_attribute("aria-checked") == "true"
    assert widget.get_by_role("status").first.inner_text()


def wide_elements(page):
    """Name what makes the page wider than its window; what scrolls by itself does not."""
    return page.evaluate(
        """() => {
        if (document.documentElement.scrollWidth <= innerWidth) return [];
        const scrolls = (one) => one && (getComputedStyle(one).overflowX !== "visible" ||
          scrolls(one.parentElement));
        return [...document.querySelectorAll("main *")].filter((one) =>
          one.getBoundingClientRect().right > innerWidth + 1 && !scrolls(one.parentElement))
          .map((one) => one.outerHTML.slice(0, 160)).concat("the page").slice(0, 5); }"""
    )


OPEN_ALL = "document.querySelectorAll('details').forEach((one) => (one.open = true))"
# Code has thousands of coloured words, and axe-core looks at each of them: one of a colour will do,
# in a cell, in its output and in the text around. And all is laid out: what is out of sight has the
# height that it had in another width, until axe-core scrolls there.
ONE_WORD_OF_A_COLOUR = """() => {
    for (const one of document.querySelectorAll("section, .cell"))
        one.style.contentVisibility = "visible";
    const seen = new Set();
    for (const word of document.querySelectorAll(".highlight span:not(.long)")) {
      const place = word.closest(".cell_input, .cell_output, article").className;
      const kind = `${place} ${word.className}`;
      if (seen.has(kind)) word.replaceWith(...word.childNodes);
      else seen.add(kind);
    }}"""

# What axe-core advises beyond the standard, and does not fit here: a widget's headings are of the
# fourth level wherever it stands, and the corner of a table of numbers is empty.
NOT_ASKED = {"heading-order": {"enabled": False}, "empty-table-header": {"enabled": False}}

# Everything once, and again only what hangs on the scheme or the width. Narrow, a page has other
# controls at its top and in its margins, the same on all pages of a kind.
ONE_OF_EACH_KIND = (
    "index.html",
    "notebooks/02_single_head.html",
    "exercises/02_single_head/02_single_head.html",
    "docs/claims.html",
    "docs/break.html",
    "docs/caption_or_chance.html",
    "docs/reference/attention.html",
)


def asked_of(name):
    """The options of axe-core for a page, by scheme and width."""
    contrast = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    if name in ONE_OF_EACH_KIND:
        narrow = {"rules": NOT_ASKED | {"color-contrast": {"enabled": False}}}
    else:
        narrow = {"runOnly": {"type": "rule", "values": ["scrollable-region-focusable"]}}
    asked = {("light", WIDTHS[0]): {"rules": NOT_ASKED}, ("light", WIDTHS[1]): narrow}
    # Pages of the reference are made by one function: dark, they have the colours of the first.
    if name in ONE_OF_EACH_KIND or not name.startswith("docs/reference/"):
        asked["dark", WIDTHS[1]] = contrast
    return asked


def assert_it_folds_and_shows_its_widgets(page, name):
    """What follows a prediction is folded until the reader opens it; widgets are where they are."""
    lesson = read_notebook((ROOT / name).with_suffix(".ipynb"))
    texts = [cell.source for cell in lesson.cells if cell.cell_type == "markdown"]
    predictions = sum(len(PREDICTION.findall(text)) for text in texts)
    folds = page.locator("details.what-happens")
    assert folds.count() == predictions
    if predictions:
        first = folds.first
        inside = first.locator(":scope > div")
        assert first.locator("summary").first.inner_text() == SUMMARY
        assert inside.is_hidden()
        first.locator("summary").first.focus()
        page.keyboard.press("Enter")
        assert inside.is_visible() and inside.inner_text().strip()
        page.keyboard.press("Enter")
        assert inside.is_hidden()
    code_apart = ".tag_hide-input > .folded-code:not([open]):has(> .cell_input) + .cell_output"
    assert page.locator(".tag_hide-input").count() == page.locator(code_apart).count() > 0
    assert bool(page.locator(WIDGETS).count()) == shows_widgets(lesson)
    assert "ModuleNotFoundError" not in page.locator("article").inner_text()  # of the set-up


FOLLOW = """\
anchor => {
  location.hash = "";
  location.hash = anchor;
  return new Promise(done => setTimeout(() => {
    const cell = document.getElementById(anchor);
    const folded = cell?.closest("details:not([open])");
    const top = cell?.getBoundingClientRect().top;
    done(Boolean(cell) && !folded && top > -100 && top < innerHeight);
  }, 60));
}"""


def cells_by_lesson():
    """The cells that a link of the claims or of the glossary leads to."""
    cells = defaultdict(set)
    for claim in read_claims():
        cells[f"notebooks/{claim.notebook.stem}.html"].add(claim.cell)
    for term in read_terms():
        cells[f"notebooks/{term.topic}.html"].add(term.cell)
    return cells


def assert_links_show_their_cells(page, name):
    """Also where a cell is folded: the link opens it."""
    assert page.evaluate(FOLLOW, "no-such-cell") is False
    cells = sorted(cells_by_lesson()[name])
    assert [cell for cell in cells if not page.evaluate(FOLLOW, cell)] == []
    page.evaluate("location.hash = ''")


def by_day(name):
    """A page for each change: lessons, and one of the exercises and of the reference."""
    is_like_another = name.startswith(("exercises/", "docs/reference/"))
    marks = pytest.mark.nightly if is_like_another and name not in ONE_OF_EACH_KIND else ()
    return pytest.param(name, marks=marks)


def test_axe_waits_for_a_word_that_fades_in(opened, axe):
    with opened("data:text/html,<p id=word style='opacity: 0.1'>A word</p>") as page:
        assert axe(page, runOnly=["color-contrast"]) != []
        page.evaluate("word.animate([{}, {opacity: 1}], {duration: 500, fill: 'forwards'}) && 0")
        assert axe(page, runOnly=["color-contrast"]) == []


@pytest.mark.parametrize("name", [by_day(name) for name in page_names()])
def test_a_page_is_clean_narrow_and_wide_light_and_dark(opened, site, axe, screenshots, name):
    asked = asked_of(name)
    with opened((site / name).as_uri(), color_scheme="light") as page:
        assert page.locator("article h1").count() == 1
        assert_formulas_are_drawn(page)
        assert page.locator("details.what-happens[open]").count() == 0
        if name.startswith("notebooks/"):
            assert_it_folds_and_shows_its_widgets(page, name)
            assert_links_show_their_cells(page, name)
        page.evaluate(OPEN_ALL)
        page.evaluate(ONE_WORD_OF_A_COLOUR)
        for (scheme, width), options in asked.items():
            page.emulate_media(color_scheme=scheme)
            page.locator(f"html[data-theme='{scheme}']").wait_for(state="attached")
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(lab_in_browser.TWO_FRAMES)  # what answers to the new width has done so
            assert wide_elements(page) == [], (scheme, width)
            assert axe(page, **options) == [], (scheme, width)
        page.set_viewport_size({"width": WIDTHS[0], "height": 900})
        for widget in page.locator(WIDGETS).all():
            touch(widget)
        page.screenshot(path=screenshots / f"site_{name.replace('/', '_')}.png")


def test_the_site_has_these_pages_and_no_others(site):
    assert set(ONE_OF_EACH_KIND) < set(page_names())
    assert set(cells_by_lesson()) <= set(page_names())
    everything = {path.relative_to(site) for path in site.rglob("*.html")}
    found = {path.as_posix() for path in everything if path.parts[0] != "_static"}
    assert found - {"search.html", "genindex.html", "py-modindex.html"} == set(page_names())


class Links(HTMLParser):
    """The links of a page, and its anchors."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.anchors.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])


@pytest.fixture(scope="module")
def parsed(site):
    return {
        path: Links(path.read_text(encoding="utf-8"))
        for path in site.rglob("*.html")
        if path.name != "search.html" and "_static" not in path.parts
    }


def test_every_link_leads_somewhere(site, parsed):
    dead = []
    for path, page in parsed.items():
        for link in page.links:
            address, fragment = urldefrag(link)
            if "://" in address or address.startswith("mailto:"):
                continue
            target = (path.parent / unquote(address)).resolve() if address else path
            known = parsed.get(target)
            is_anchor = fragment and "=" not in fragment  # no sentence of "Break the model"
            if not target.is_file() or (known and is_anchor and fragment not in known.anchors):
                dead.append((path.relative_to(site).as_posix(), link))
    assert dead == []


def test_a_reader_gets_from_the_front_page_through_a_lesson_to_its_exercise(opened, site):
    with opened((site / "index.html").as_uri()) as page:
        touch(page.locator(WIDGETS).first)
        article = page.locator("article")
        lesson = LESSONS["02"]
        article.get_by_role("link", name=f"02 {lesson.title}").click()
        page.get_by_role("link", name="Begin").click()
        assert page.evaluate("scrollY") > 200
        page.get_by_role("link", name="Exercises of this lesson", exact=True).click()
        assert page.locator("article h1").inner_text().startswith(f"Exercises 02 · {lesson.title}")
        page.get_by_role("link", name="The lesson of this topic").click()
        for title in ("Exercises 02", f"03 · {LESSONS['03'].title}"):
            page.locator(".prev-next-area a.right-next").click()
            assert page.locator("article h1").inner_text().startswith(title)


def test_on_a_dark_page_figures_and_drawings_are_dark(opened, site):
    lesson = (site / "notebooks" / "02_single_head.html").as_uri()
    with opened(lesson, color_scheme="dark") as page:
        for selector, shown_by in (
            (".course-figure", "invert(0.93) hue-rotate(180deg)"),
            (".output.text_html:has(.course-drawing)", "none"),
        ):
            style = page.locator(selector).first.evaluate("one => ({...getComputedStyle(one)})")
            assert (style["backgroundColor"], style["paddingTop"]) == ("rgba(0, 0, 0, 0)", "0px")
            assert style["filter"] == shown_by


def test_the_search_shows_what_it_finds_while_one_types(opened, site, axe):
    with opened((site / "notebooks" / "02_single_head.html").as_uri()) as page:
        page.keyboard.press("Control+k")
        page.keyboard.type("equivar")
        dialog = page.get_by_role("dialog")
        said = dialog.get_by_role("status")
        expect(said).to_have_text(re.compile(r"8 of \d+ places. Enter shows more."))
        assert dialog.get_by_role("link").count() == 8
        assert "equivariant" in dialog.locator("li p mark").first.inner_text().lower()
        assert axe(page, rules=NOT_ASKED) == []
        page.keyboard.type("zzz")
        expect(said).to_have_text("Nothing is found.")
        assert dialog.get_by_role("link").count() == 0
        for _ in "zzz":
            page.keyboard.press("Backspace")
        expect(said).to_have_text(re.compile("8 of"))
        page.keyboard.press("Enter")
        page.wait_for_url("**/search.html?q=equivar*")
        results = page.locator("#search-results")
        expect(results.get_by_role("status")).to_have_text(re.compile(r"\d+ of \d+ places."))
        assert axe(page, rules=NOT_ASKED) == []
        results.get_by_role("link").first.click()
        page.wait_for_url(re.compile(r"glossary\.html#equivariant|02_single_head\.html#"))


def test_what_learners_ask_is_among_the_first_three_places(opened, site):
    questions = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))
    assert len(questions) >= 40
    with opened((site / "search.html").as_uri()) as page:
        page.evaluate("fetchTheIndex()")
        page.wait_for_function("() => typeof courseSearch === 'function'")
        missed = {}
        for question, places in questions.items():
            found = page.evaluate(
                "words => courseSearch(words).slice(0, 3).map(({section}) => section.address)",
                question,
            )
            if not any(address.startswith(tuple(places)) for address in found):
                missed[question] = found
    assert len(missed) <= 2, missed


def test_the_contents_mark_the_section_in_view_after_any_jump(opened, site):
    for path in ("docs/glossary", "notebooks/02_single_head", "notebooks/16_real_language_model"):
        with opened((site / f"{path}.html").as_uri()) as page:
            expect(page.locator(".bd-sidebar-primary li.current > a").last).to_be_in_viewport()
            bars = page.locator(".sidebar-primary-items__start > *")
            name, search = bars.nth(0).bounding_box(), bars.nth(1).bounding_box()
            assert 0 <= name["y"] <= search["y"] - name["height"]  # in sight, none hides the other
            page.wait_for_function(WIDGETS_ARE_THERE)  # what grows later moves what one jumped to
            links = page.locator(".bd-sidebar-secondary nav a")
            marked = page.locator(".bd-sidebar-secondary nav a[aria-current]")
            for number in (last := links.count() - 1, 3, last // 2, last - 1, 0):
                address = links.nth(number).get_attribute("href")
                assert page.evaluate(FOLLOW, address.removeprefix("#"))
                expect(marked).to_have_attribute("href", address)
                expect(marked).to_be_in_viewport(ratio=0.9)  # in contents longer than it, too


WIDGETS_ARE_THERE = """() => [...document.querySelectorAll('[id^="course-widget"]')].every(
    one => one.querySelector(".cw"))"""
HEADING_IN_VIEW = """() => {
    const {top, bottom} = document.querySelector(":target :is(h2, h3)").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight; }"""
DRAWN_WHERE_SEEN = """[...document.querySelectorAll("article :is(section section, .cell)")]
    .filter(one => getComputedStyle(one).contentVisibility === "auto").length"""
NO_WIDGET_FADES_IN_VAIN = """() => document.querySelector('.output .cw')
    && [...document.querySelectorAll('.output[data-more]')].every(
        one => one.scrollWidth > one.clientWidth)"""


def test_a_phone_draws_what_is_in_view_and_links_land_on_their_headings(opened, site):
    lesson = (site / "notebooks" / "02_single_head.html").as_uri()
    phone = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
    with opened(lesson) as page:
        assert page.evaluate(DRAWN_WHERE_SEEN) == 0
        sections = page.locator("article section section[id]")
        first, *_, last = sections.evaluate_all("all => all.map(one => one.id)")
    with opened(f"{lesson}#{last}", **phone) as page:
        assert page.evaluate(DRAWN_WHERE_SEEN) > 20
        for anchor in (last, first, last):
            assert page.evaluate(FOLLOW, anchor)
            page.wait_for_function(HEADING_IN_VIEW)
        page.wait_for_function(NO_WIDGET_FADES_IN_VAIN)
        page.emulate_media(media="print")
        assert page.evaluate(DRAWN_WHERE_SEEN) == 0


def test_the_steps_of_a_live_drawing_stand_above_it_and_stay_when_it_scrolls(opened, site):
    with opened((site / "notebooks" / "02_single_head.html").as_uri(), height=700) as page:
        steps, drawing = (page.locator(one).first for one in (".cw-stays", ".cw-live"))
        steps.evaluate("one => one.scrollIntoView({block: 'center', behavior: 'instant'})")
        above, below = steps.bounding_box(), drawing.bounding_box()
        assert above["y"] + above["height"] <= below["y"] + 1
        page.mouse.wheel(0, below["y"] + 200)
        expect(drawing).not_to_be_in_viewport(ratio=0.8)
        expect(steps).to_be_in_viewport(ratio=1)


def test_on_a_phone_lines_are_broken_and_a_table_fades_until_it_is_scrolled(opened, site):
    with opened((site / "notebooks/05_causal_masking.html").as_uri(), width=360) as page:
        page.evaluate(OPEN_ALL)
        table = page.locator(".bd-article pre[data-more]").first
        assert "gradient" in table.evaluate("one => getComputedStyle(one).maskImage")
        assert page.locator(":is(.cell_input pre, pre.prose)[data-more]").count() == 0
        assert min(page.locator(one).count() for one in (".long", "pre.prose")) > 3
        pre = table.element_handle()
        for left, on in ((9999, False), (0, True)):
            pre.evaluate("(one, left) => one.scrollTo({left, behavior: 'instant'})", left)
            page.wait_for_function("([a, on]) => a.hasAttribute('data-more') === on", arg=[pre, on])


def test_claims_are_folded_by_subject_until_a_link_or_a_verdict_opens_them(opened, site):
    with opened((site / "docs" / "claims.html").as_uri(), width=390) as page:
        opens = page.locator("details.claims[open]")
        shown = page.locator("li > p > .verdict:visible")
        assert opens.count() == 1
        assert page.evaluate("document.documentElement.scrollHeight") < 33_954 / 3
        assert page.evaluate(FOLLOW, "positions")
        expect(opens).to_have_count(2)
        before, true = shown.count(), page.locator(".claims-bar button.true")
        for number in (int(true.locator("b").inner_text()), before):
            true.click()
            expect(shown).to_have_count(number)


def test_a_quiz_marks_the_answers_that_were_opened_and_counts_first_tries(opened, site):
    with opened((site / "notebooks" / "02_single_head.html").as_uri()) as page:
        answers = page.locator("#quiz > details > summary")
        said, questions = page.locator("#quiz [role=status]"), answers.count() // 3
        for answer, mark, so_far in ((0, "✗", "0 of 1"), (1, "✓", "0 of 1"), (3, "✓", "1 of 2")):
            expect(answers.nth(answer)).not_to_contain_text(mark)
            answers.nth(answer).press("Enter")
            expect(answers.nth(answer)).to_contain_text(mark)
            left = questions - int(so_far[-1])
            expect(said).to_have_text(f"{so_far} right at first try, {left} to go.")


def test_numbers_of_a_column_stand_under_each_other(opened, site):
    with opened((site / "docs" / "speed.html").as_uri()) as page:
        rows = page.locator("article table").first.locator("tr")
        for row in (rows.first, rows.nth(1)):
            sides = row.locator("th, td").evaluate_all(
                "cells => cells.map(one => getComputedStyle(one).textAlign === 'right')"
            )
            assert sides == [False, False, *[True] * (len(sides) - 2)]


def test_the_site_works_in_a_folder_of_a_server(opened, site, tmp_path):
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "where").symlink_to(site)
    with served(tmp_path) as (address, _):
        here = address + "some/where/"
        with opened(here + "notebooks/02_single_head.html", here=here) as page:
            assert assert_formulas_are_drawn(page) > 20
            page.evaluate(OPEN_ALL)
            for widget in page.locator(WIDGETS).all():
                widget.scroll_into_view_if_needed()
                assert widget.get_by_role("status").first.inner_text()
        with opened(here + "search.html?q=equivariant", here=here) as page:
            excerpts = page.locator("#search-results p")
            excerpts.nth(3).wait_for()
            furniture = ("Contents", "Show what happens", "Exercises of this", "\\(")
            for text in excerpts.all_inner_texts():
                assert not any(part in text for part in furniture), text
