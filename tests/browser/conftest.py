"""Start Chromium and JupyterLab once for all browser tests. Run them with `make test-browser`."""

import os
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from course_lib.widgets import AttentionExplorer
from tools.notebooks.notebook_files import ROOT
from tools.site import lab_in_browser

AXE = ROOT / "widgets_js" / "node_modules" / "axe-core" / "axe.min.js"
SCREENSHOTS = pytest.StashKey[Path]()


@pytest.fixture(scope="session")
def browser():
    executable = lab_in_browser.find_chromium()
    if executable is None:
        if os.environ.get("CI"):
            pytest.fail(lab_in_browser.HOW_TO_INSTALL)
        pytest.skip(lab_in_browser.HOW_TO_INSTALL)
    expect.set_options(timeout=lab_in_browser.PAGE_SECONDS * 1000)  # a busy machine is no fault
    with sync_playwright() as playwright:
        chromium = lab_in_browser.launch_chromium(playwright.chromium, executable)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    """A copy of notebooks/ and exercises/ without outputs."""
    return lab_in_browser.copy_course(tmp_path_factory.mktemp("course"))


# `make test` trains in full and compares what comes out. Here the names are gone again before a
# notebook's first cell: it must import what it needs.
SHORT_TRAINING = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tools.notebooks import short_training
short_training.shorten_training()
short_training.shorten_writing()
del sys.path[0], short_training, sys
"""


@pytest.fixture(scope="session")
def lab(browser, course, tmp_path_factory):
    """JupyterLab, started in the copy of the course; its kernels train and write a little."""
    private = tmp_path_factory.mktemp("lab-files")
    startup = private / lab_in_browser.STARTUP
    startup.mkdir(parents=True)
    (startup / "short_training.py").write_text(SHORT_TRAINING, encoding="utf-8")
    with lab_in_browser.running_lab(course, private) as running:
        yield running


@pytest.fixture(scope="session")
def site():
    """The folder of the pages that `make site` built."""
    if not (ROOT / "_site" / "index.html").is_file():
        pytest.fail("there is no _site/index.html: `make site` builds it")
    return ROOT / "_site"


@pytest.fixture(scope="session")
def screenshots(pytestconfig, tmp_path_factory):
    """The folder for screenshots; its name is printed at the end of the run."""
    folder = tmp_path_factory.mktemp("screenshots")
    pytestconfig.stash[SCREENSHOTS] = folder
    return folder


@pytest.fixture(scope="session")
def opened(browser):
    """A context manager that opens a page and, at its end, fails if it complained.

    It may load what lies under ``here``, and its console may say what is not of a type that is
    ``heard``, or a pair of text and address in ``forgiven``. The other options are of a context.
    """

    @contextmanager
    def watched(
        address, *, here="file:", heard=("error",), forgiven=(), width=1280, height=900, **options
    ):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(lab_in_browser.PAGE_SECONDS * 1000)
        page, complaints = context.new_page(), []

        def hear(message):
            if message.type in heard and (message.text, message.location["url"]) not in forgiven:
                complaints.append(f"{message.text} {message.location['url']}")

        def notice(request):
            if not request.url.startswith((here, "data:", "blob:")):
                complaints.append(f"request: {request.url}")

        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        context.on("request", notice)
        try:
            page.goto(address)
            yield page
            assert complaints == []
        finally:
            context.close()

    return watched


@pytest.fixture
def open_page(opened, tmp_path):
    """A context manager that opens a widget's page, and fails if it complained or asked for more.

    The explorer is opened with the bars, and with all its controls: what is behind "More" too.
    With ``as_it_opens`` it is left as a reader finds it.
    """

    @contextmanager
    def opened_widget(widget, *, as_it_opens=False, width=1000, **options):
        whole = isinstance(widget, AttentionExplorer) and not as_it_opens
        if whole and widget.view == "lines":
            widget.view = "bars"
        path = tmp_path / "page.html"
        path.write_text(widget.to_html(), encoding="utf-8")
        with opened(
            path.as_uri(), here=path.as_uri(), width=width, heard=("error", "warning"), **options
        ) as page:
            more = page.get_by_role("button", name="More", exact=True)
            if whole and more.count():
                more.click()
            yield page

    return opened_widget


@pytest.fixture(scope="session")
def each_look(screenshots):
    """A function that shows an open page light and dark in each of the widths, in turn.

    In none of them is the page wider than the window.
    """

    def looks(page, name, widths):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for width in widths:
                page.set_viewport_size({"width": width, "height": 900})
                page.evaluate(lab_in_browser.TWO_FRAMES)  # all has answered to the new width
                page.screenshot(path=screenshots / f"{name}_{scheme}_{width}.png", full_page=True)
                assert page.evaluate("document.documentElement.scrollWidth") <= width, width
                yield scheme, width

    return looks


# A word that fades in is pale for a moment: what moves has come to its end before axe-core looks.
# Only what is wrong is handed over: all that is right would take several times as long.
AXE_RUN = """async ([place, options]) => {
    const ends = moves => Number.isFinite(moves.effect.getComputedTiming().endTime);
    await Promise.allSettled(document.getAnimations().filter(ends).map(moves => moves.finished));
    const found = await axe.run(place, {resultTypes: ["violations"], preload: false, ...options});
    return [found.passes.length, found.violations.map(one => [one.id, one.nodes[0].html])];
}"""


@pytest.fixture(scope="session")
def axe():
    """A function that tells what axe-core objects to on a page: each rule, and its first place."""
    if not AXE.is_file():
        reason = "`make widget-tools` was not run: axe-core does not look at the pages"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    source = AXE.read_text(encoding="utf-8")

    def findings(page, place="html", **options):
        if not page.evaluate("'axe' in window"):
            page.evaluate(source + "\n;0")
        passes, found = page.evaluate(AXE_RUN, [place, options])
        assert passes or "runOnly" in options, "axe looked at nothing"
        return [f"{rule}: {html[:200]}" for rule, html in found]

    return findings


def pytest_terminal_summary(terminalreporter, config):
    if folder := config.stash.get(SCREENSHOTS, None):
        terminalreporter.write_line(f"Screenshots: {folder}")
