"""Take the README's picture: a lesson in JupyterLab with one of its figures in view.

    python tools/readme_screenshot.py notebooks/01_soft_lookup.ipynb lesson.png --figure 2

The lesson is run first, in a copy. `--figure 2` puts the second figure at the lower edge of the
window, with the cell that makes it above.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import lab_in_browser
from notebook_files import ROOT


def figure_cells(notebook) -> list[int]:
    """The index of the cell of each figure, in order."""
    return [
        index
        for index, cell in enumerate(notebook.cells)
        for output in cell.get("outputs", [])
        if any(kind.startswith("image/") for kind in output.get("data", {}))
    ]


def take(lesson: str, picture: Path, *, figure: int, size: tuple[int, int]):
    width, height = size
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        executable = lab_in_browser.find_chromium()
        if executable is None:
            raise SystemExit(lab_in_browser.HOW_TO_INSTALL)
        browser = lab_in_browser.launch_chromium(playwright, executable)
        course = lab_in_browser.copy_course(Path(folder, "course"))
        with (
            lab_in_browser.running_lab(course, Path(folder, "lab-files")) as lab,
            lab_in_browser.watched_page(browser, lab, width=width, height=height) as watched,
        ):
            page = watched.page
            page.goto(lab.address(f"/tree/{lesson}"))
            lab_in_browser.wait_for_notebook(page, Path(lesson).name)
            lab_in_browser.run_all_cells(page)
            figures = figure_cells(lab_in_browser.save_and_read(page, course / lesson))
            if not 1 <= figure <= len(figures):
                raise SystemExit(f"--figure must be 1 to {len(figures)} for {lesson}, got {figure}")
            lab_in_browser.look_at_every_cell(page)
            lab_in_browser.scroll_to_cell(page, figures[figure - 1])
            page.wait_for_timeout(1000)  # the cells that came into view are drawn
            shown = page.locator(".jp-Notebook .jp-mod-active .jp-RenderedImage img").first
            shown.evaluate("image => image.scrollIntoView({block: 'end'})")
            page.wait_for_timeout(1000)
            page.screenshot(path=picture)
            lab_in_browser.stop_kernels(page, lab)
        browser.close()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lesson", help="path of the lesson, from the top of the repository")
    parser.add_argument("picture", type=Path, help="the PNG file to write")
    parser.add_argument("--figure", type=int, default=1, help="the figure to show, from 1")
    parser.add_argument("--width", type=int, default=1200)
    parser.add_argument("--height", type=int, default=800)
    chosen = parser.parse_args()
    if not (ROOT / chosen.lesson).is_file():
        parser.error(f"there is no {chosen.lesson}")
    take(
        chosen.lesson,
        chosen.picture,
        figure=chosen.figure,
        size=(chosen.width, chosen.height),
    )
    print(f"{chosen.picture}: {chosen.picture.stat().st_size // 1024} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
