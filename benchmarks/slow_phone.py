"""How soon the site's pages are there on a slow phone: prints a table.

    make bench-phone                              # the site in _site/, three turns
    make bench-phone BENCH_FLAGS="--site FOLDER"  # another one, such as that before a change

Chromium plays a phone: 390 x 844 pixels, 1.6 Mbit/s, 150 ms to each answer, and a quarter of this
machine's processor. A server on this machine hands files out compressed, as the web's do. A page is
opened in an empty browser and left alone for a while; then controls all over it are tapped, each by
a finger. Printed are the fewest and the median of the turns, beside the limit: what other programs
on the machine take away only makes the fewest too high. Bytes are those that went over the line
before anything was touched.
"""

import argparse
import gzip
import statistics
import sys
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tools.notebooks.notebook_files import ROOT
from tools.site import lab_in_browser
from tools.site.local_server import Quiet, served

PAGES = ("index.html", "notebooks/02_single_head.html")
KILOBITS, LATENCY, SLOWDOWN = 1600, 150, 4
PHONE = {"width": 390, "height": 844}
COMPRESSED = (".html", ".js", ".css", ".svg", ".json")
TAPPED = 12  # controls, spread over the page
QUIET = 3000  # milliseconds after a page is loaded in which nothing is touched

WATCH = """
window.shifts = []; window.slowest = [];
new PerformanceObserver(list => shifts.push(...list.getEntries()
  .filter(shift => !shift.hadRecentInput).map(shift => shift.value)))
  .observe({type: "layout-shift", buffered: true});
new PerformanceObserver(list => slowest.push(...list.getEntries()
  .filter(event => event.interactionId).map(event => event.duration)))
  .observe({type: "event", durationThreshold: 16, buffered: true});
"""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
LOADED = "performance.timing.loadEventEnd - performance.timing.navigationStart"
CONTROLS = "article :is(button, [role=gridcell], [role=radio], summary):not([disabled])"
IN_VIEW = "control => control.scrollIntoView({block: 'center', behavior: 'instant'})"


@dataclass
class Turn:
    """What one visit took: milliseconds, and bytes."""

    first_paint: float
    loaded: float
    kilobytes: float
    layout_shift: float
    slowest_tap: float


LIMITS = Turn(2000, 4000, 400, 0.05, 200)


class Compressing(Quiet):
    """Serves a folder as a server on the web does: compressed, several to a connection."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.suffix not in COMPRESSED or not path.is_file():
            return super().do_GET()
        content = compressed(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        return None


@cache
def compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6)


def visit(browser: Browser, address: str) -> Turn:
    context = browser.new_context(
        viewport=PHONE,  # type: ignore[arg-type]
        device_scale_factor=2,
        is_mobile=True,
        has_touch=True,
    )
    page, received = context.new_page(), []
    phone = context.new_cdp_session(page)
    phone.send("Network.enable")
    speed = KILOBITS * 1000 / 8
    line = {"latency": LATENCY, "downloadThroughput": speed, "uploadThroughput": speed}
    phone.send("Network.emulateNetworkConditions", {"offline": False, **line})
    phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    phone.on("Network.loadingFinished", lambda file: received.append(file["encodedDataLength"]))
    page.add_init_script(WATCH)
    page.goto(address, wait_until="load", timeout=120_000)
    page.wait_for_timeout(QUIET)
    kilobytes, shift = sum(received) / 1000, page.evaluate("shifts.reduce((a, b) => a + b, 0)")
    painted, loaded = page.evaluate(PAINTED), page.evaluate(LOADED)
    tap = slowest_tap(page)
    context.close()
    return Turn(painted, loaded, kilobytes, shift, tap)


def slowest_tap(page: Page) -> float:
    """Tap controls all over the page, and return the milliseconds until the slowest answered."""
    shown = [tag for tag in page.locator(CONTROLS).element_handles() if tag.is_visible()]
    for control in shown[:: max(1, len(shown) // TAPPED)]:
        if control.is_visible():  # what was tapped before may have folded it away
            control.evaluate(IN_VIEW)
            page.wait_for_timeout(400)  # as after a swipe
            control.tap(force=True)
            page.wait_for_timeout(600)
    return page.evaluate("Math.max(0, ...slowest)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", type=Path, default=ROOT / "_site")
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    if not (arguments.site / PAGES[0]).is_file():
        print(f"there is no {arguments.site / PAGES[0]}: `make site` builds it", file=sys.stderr)
        return 1
    print("| Page | | fewest | median | limit |")
    print("| --- | --- | ---: | ---: | ---: |")
    with served(arguments.site, Compressing) as (address, _), sync_playwright() as playwright:
        chromium = lab_in_browser.launch_chromium(
            playwright.chromium, lab_in_browser.find_chromium()
        )
        for name in PAGES:
            turns = [visit(chromium, address + name) for _ in range(arguments.turns)]
            for measure in fields(Turn):
                values = [getattr(turn, measure.name) for turn in turns]
                limit = getattr(LIMITS, measure.name)
                digits = 2 if limit < 1 else 0
                what = measure.name.replace("_", " ")
                numbers = (min(values), statistics.median(values), limit)
                print(f"| {name} | {what} |", " | ".join(f"{x:.{digits}f}" for x in numbers), "|")
        chromium.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
