"""Make the pictures of README.md and docs/ from the course as it is: make pictures.

    python -m tools.site.pictures            # all of them
    python -m tools.site.pictures heads      # one

Each goes to docs/pictures/NAME.png. Beside it stands NAME.txt, a line for each thing that the
picture shows and that may change: the controls of the widget, the lessons in the list of files.
A test compares these lines with the course, and says when a picture has to be made again. `card` is
the picture that a link to the site is shown with, docs/_static/card.png, and needs `make site`.
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
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tools.notebooks.notebook_files import ROOT
from tools.notebooks.stored_figures import kinds_of_pictures
from tools.site import hero, lab_in_browser
from tools.site.build_site import front_explorer

FOLDER = ROOT / "docs" / "pictures"
CARD = ROOT / "docs" / "_static" / "card.png"
LESSON = "notebooks/01_soft_lookup.ipynb"
Scheme = Literal["light", "dark"]
SHARP = 2  # pixels of the picture for each of the page, for screens that show so many

# In a picture nothing can be touched, so what asks for it is left out: heads, map and lines stay.
ONLY_TO_TOUCH = """.cw-more-button, .cw-readout, .cw-room, .cw-panel-box > :is(.cw-ask, .cw-chips)
    { display: none !important; }"""

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
        page.add_style_tag(content=ONLY_TO_TOUCH)
        page.locator(".cw").first.screenshot(path=picture)
    page.close()
    Image.open(picture).convert("RGB").quantize(256).save(picture, optimize=True)
    return names


def lesson(browser: Browser, picture: Path) -> list[str]:
    """Take a lesson in JupyterLab, run, with a figure in view; return the listed lessons."""
    with tempfile.TemporaryDirectory() as folder:
        course = lab_in_browser.copy_course(Path(folder, "course"))
        with (
            lab_in_browser.running_lab(course, Path(folder, "lab-files")) as lab,
            lab_in_browser.watched_page(browser, lab, width=1200, height=800) as watched,
        ):
            page = watched.page
            page.goto(lab.address(f"/tree/{LESSON}"))
            lab_in_browser.wait_for_notebook(page, Path(LESSON).name)
            lab_in_browser.run_all_cells(page)
            figures = cells_with_pictures(course / LESSON, page)
            lab_in_browser.look_at_every_cell(page)
            lab_in_browser.scroll_to_cell(page, figures[1])
            page.wait_for_timeout(1000)  # the cells that came into view are drawn
            shown = page.locator(".jp-Notebook .jp-mod-active img.course-figure").first
            shown.evaluate("image => image.scrollIntoView({block: 'end'})")
            page.wait_for_timeout(1000)
            page.screenshot(path=picture)
            listed = page.locator(".jp-DirListing-content .jp-DirListing-itemName")
            names = sorted(name.strip() for name in listed.all_inner_texts())
            lab_in_browser.stop_kernels(page, lab)
    return names


def cells_with_pictures(path: Path, page: Page) -> list[int]:
    """The numbers of the cells that show a figure, in order."""
    return [
        index
        for index, cell in enumerate(lab_in_browser.save_and_read(page, path).cells)
        for output in cell.get("outputs", [])
        if "course-figure" in kinds_of_pictures(output)
    ]


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
