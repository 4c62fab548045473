"""Make the pictures of README.md and docs/ from the course as it is: make pictures.

    python -m tools.site.pictures            # all of them
    python -m tools.site.pictures heads      # one

Each goes to docs/pictures/NAME.png. Beside it stands NAME.txt, a line for each thing that the
picture shows and that may change: the controls of the widget or the drawing. A test compares the
widget's with the course, and says when a picture has to be made again. `card` is the picture that a
link to the site is shown with, docs/_static/card.png; it and `lesson` need `make site`.
`hero` is the front page's first screen as a picture that moves, docs/pictures/hero.svg (hero.py).
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright

from tools.notebooks.notebook_files import ROOT
from tools.site import hero, lab_in_browser
from tools.site.build_site import front_explorer

FOLDER = ROOT / "docs" / "pictures"
CARD = ROOT / "docs" / "_static" / "card.png"
LESSON = "notebooks/02_single_head.html"
Scheme = Literal["light", "dark"]
SHARP = 2  # pixels of the picture for each of the page, for screens that show so many

# In a picture nothing can be touched: what asks for it is left out, and one map stands large beside
# the nine small ones.
ONE_AND_NINE = """
    :is(.cw-more-button, .cw-readout, .cw-room, .cw-more, .cw-panel-box) {
        display: none !important; }
    .cw-two { display: grid !important; grid-template-columns: 1fr 15rem !important; }
    .cw-left { grid-area: 1 / 1 !important; }
    .cw-overview { grid-area: 1 / 2 !important; align-self: center; max-height: none !important; }
    .cw-heads { display: grid !important; grid-template-columns: repeat(3, 1fr); row-gap: 0.5rem;
        max-height: none !important; mask: none !important; }"""

# The names by which a reader, or a screen reader, finds the controls of a widget.
NAMES_OF_CONTROLS = """widget => [...widget.querySelectorAll("button, input, select, summary")]
    .filter(control => control.checkVisibility())
    .map(control => control.getAttribute("aria-label") || control.labels?.[0]?.innerText
        || control.innerText).map(name => name.trim().split("\\n")[0])"""


def show_heads(page: Page, html: Path) -> None:
    """Open nine heads of a real model, with the lines of one that looks at the word before."""
    html.write_text(front_explorer().to_html(), encoding="utf-8")
    page.goto(html.as_uri())
    page.get_by_role("radio", name="head 0", exact=True).click()
    page.mouse.move(0, 0)


def names_of_controls(page: Page) -> list[str]:
    return page.locator(".cw").first.evaluate(NAMES_OF_CONTROLS)


def heads(browser: Browser, picture: Path, page_is: Scheme = "light") -> list[str]:
    """Take the explorer, as on a light or a dark page; return the names of its controls."""
    size = ViewportSize(width=690, height=900)
    page = browser.new_page(viewport=size, device_scale_factor=SHARP, color_scheme=page_is)
    with tempfile.TemporaryDirectory() as folder:
        show_heads(page, Path(folder, "heads.html"))
        names = names_of_controls(page)
        page.add_style_tag(content=ONE_AND_NINE)
        page.wait_for_timeout(500)  # the maps are drawn again
        save(page.locator(".cw").first, picture)
    page.close()
    return names


def save(shown: Locator, picture: Path) -> None:
    shown.screenshot(path=picture)
    taken = Image.open(picture).convert("RGB")
    taken.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=3).save(picture, optimize=True)


def show_lesson(page: Page, site: Path) -> Locator:
    """Open lesson 02 where its drawing mixes the values; return the drawing with its controls.

    It is the second: the first leaves the numbers to be found.
    """
    page.goto((site / LESSON).as_uri())
    page.locator(".cw-live").nth(1).scroll_into_view_if_needed()
    shown = page.locator(".cw", has=page.locator(".cw-live")).nth(1)
    shown.get_by_role("radio", name="output", exact=True).click()
    return shown


def lesson(browser: Browser, picture: Path, page_is: Scheme = "light") -> list[str]:
    """Take the drawing of lesson 02, as narrow as it fits; return the names of its controls."""
    size = ViewportSize(width=740, height=1000)
    page = browser.new_page(viewport=size, device_scale_factor=SHARP, color_scheme=page_is)
    shown = show_lesson(page, ROOT / "_site")
    page.mouse.move(0, 0)
    page.wait_for_timeout(1000)  # what moves has arrived
    save(shown, picture)
    names = shown.evaluate(NAMES_OF_CONTROLS)
    page.close()
    return names


def card(browser: Browser) -> None:
    """Save the picture that "Break the model" makes of its first sentence."""
    page = browser.new_page(color_scheme="light")
    page.goto((ROOT / "_site" / "docs" / "break.html").as_uri())
    with page.expect_download() as saved:
        page.get_by_role("button", name="save a picture").click()
    saved.value.save_as(CARD)
    page.close()


PICTURES: dict[str, Callable[[Browser, Path], list[str]]] = {
    "heads": heads,
    "heads_dark": partial(heads, page_is="dark"),
    "lesson": lesson,
    "lesson_dark": partial(lesson, page_is="dark"),
}


def main() -> int:
    known = [*PICTURES, "card", "hero"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    names = parser.parse_args().names or known
    if unknown := sorted(set(names) - set(known)):
        parser.error(f"NAME must be one of {', '.join(known)}, got {', '.join(unknown)}")
    if "hero" in names:
        hero.PICTURE.write_text(hero.hero_svg(), encoding="utf-8")
    executable = lab_in_browser.find_chromium()
    if executable is None:
        print(lab_in_browser.HOW_TO_INSTALL, file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        browser = lab_in_browser.launch_chromium(playwright.chromium, executable)
        if "card" in names:
            card(browser)
        for name in set(names) - {"card", "hero"}:
            picture = FOLDER / f"{name}.png"
            shown = PICTURES[name](browser, picture)
            picture.with_suffix(".txt").write_text("\n".join(shown) + "\n", encoding="utf-8")
            print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size // 1024} KB")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
