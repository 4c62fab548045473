"""How large and how fast the attention explorer is beside bertviz and CircuitsVis: prints tables.

    make bench-widgets                          # about five minutes, on an idle machine
    make bench-widgets BENCH_FLAGS=--no-lab     # without the round trip to Python
    make bench-widgets BENCH_FLAGS=--quick      # a quarter of the events, and the two small sizes

All show the same weights in one Chromium and take turns, so that a machine that is shared slows
all alike. The time of an event is the work of the page's main thread until, two frames later, it is
idle: handler, frames, timers, layout and painting, as Chromium itself counts it (TaskDuration).
"nothing" is the same without an event: what measuring takes. Loading is from the start of the page
to the first frame in which the first map (or line) is there.

bertviz, CircuitsVis and what bertviz's page loads from a CDN are fetched with pip and npm into a
temporary folder and served from there; what cannot be fetched is left out, and the output says so.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, sync_playwright
from playwright.sync_api import TimeoutError as PageTimeout

import lab_in_browser
from course_lib.widgets import AttentionExplorer
from notebook_files import NOTEBOOK_METADATA, write_notebook

Size = tuple[int, int, int]  # layers, heads, tokens
# Of our explorer: milliseconds for the 95th percentile of its events, and for one mount.
EVENT_LIMITS: dict[Size, float | None] = {
    (1, 12, 32): None,
    (12, 12, 32): None,
    (12, 12, 64): 16.0,
    (24, 16, 64): 33.0,
}
MOUNT_LIMITS = {(12, 12, 64): 150.0}
PAGE_LIMITS = {(1, 12, 32): 120_000, (12, 12, 32): 1_000_000}  # bytes, the second with values
ROUND_TRIP_LIMIT = 100.0
HEAD_DIM = 64
ROUNDS, PER_TURN = 8, 5  # events of each kind
MOUNTS = 10
LOAD_SECONDS = 60

# Notes when the picture is there.
WATCH = """
const look = () => {
    if (document.querySelector(SELECTOR)) window.loaded = performance.now();
    else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
SETTLED = """await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
    () => requestIdleCallback(done, {timeout: 500}))));"""
POINT = """const at = (map, kind, i) => {
    const box = map.getBoundingClientRect();
    map.dispatchEvent(new (kind.startsWith('pointer') ? PointerEvent : MouseEvent)(kind, {
        bubbles: true, cancelable: true, view: window,
        clientX: box.left + (i * 37 % 97 + 0.5) / 97 * box.width,
        clientY: box.top + (i * 61 % 89 + 0.5) / 89 * box.height}));
};"""


@dataclass
class Contestant:
    """One way to show the weights, and how to touch it: JavaScript of the event's number i."""

    name: str
    page: Callable[[torch.Tensor, list[str]], tuple[str, int]]  # HTML, bytes of all that it loads
    selector: str  # there when the picture is; the last one is looked at
    events: dict[str, str]
    folder: Path | None = None  # of what its page loads
    times: dict[str, list[float]] = field(default_factory=dict)


def explorer_page(scores: torch.Tensor, words: list[str]) -> tuple[str, int]:
    html = AttentionExplorer(scores, words).to_html()
    size = len(html.encode())
    mounted = r"(window.mount = () => widget.render(\1))();\n</script>"
    return re.sub(r"widget\.render\((.*)\);\n</script>", mounted, html), size


EXPLORER = Contestant(
    "explorer",
    explorer_page,
    ".cw-board canvas",
    {
        "hover": "at(document.querySelector('.cw-board canvas'), 'pointermove', i)",
        "head": "(all => all[i * 7 % all.length].click())"
        "(document.querySelectorAll('[role=radiogroup][aria-label=head] [role=radio]'))",
        "temperature": "(slider => { slider.value = -1.5 + i * 7 % 150 / 50;"
        " slider.dispatchEvent(new Event('input')); })"
        "(document.querySelector('.cw input[type=range]'))",
    },
)

BERTVIZ, CIRCUITSVIS = "bertviz==1.4.1", "circuitsvis==1.43.3"
BERTVIZ_FILES = {
    "require.min.js": ("requirejs@2.3.6", "requirejs/require.js"),
    "d3.min.js": ("d3@5.7.0", "d3/dist/d3.min.js"),
    "jquery.min.js": ("jquery@2.1.4", "jquery/dist/jquery.min.js"),
}
BERTVIZ_PAGE = """
import sys, torch
from bertviz import head_view
weights, words = torch.load(sys.argv[1])
page = head_view([layer[None] for layer in weights], words, html_action="return")
print('<script src="https://cdnjs.cloudflare.com/require.min.js"></script>' + page.data)
"""
CIRCUITSVIS_PAGE = """
import sys, torch
from circuitsvis.attention import attention_heads
weights, words = torch.load(sys.argv[1])
layers, heads = weights.shape[:2]
names = [f"{i // heads}.{i % heads}" for i in range(layers * heads)]
print(attention_heads(weights.flatten(0, 1), words, names).local_src)
"""


def fetched(commands: list[list], name: str) -> bool:
    """Run the commands that install a contestant; say so when one fails."""
    try:
        for command in commands:
            subprocess.run(command, check=True, capture_output=True, timeout=240)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"{name} is left out: it cannot be fetched ({error})", file=sys.stderr)
        return False
    return True


def page_of(script: str, folder: Path, scores: torch.Tensor, words: list[str]) -> str:
    """The page that a library of `folder` makes of the weights, in a process of its own."""
    path = folder / "weights.pt"
    torch.save((torch.softmax(scores, dim=-1), words), path)
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return f"<!doctype html><body>{done.stdout}"


def find_bertviz(folder: Path) -> Contestant | None:
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "-t",
        folder,
        "bertviz==1.4.1",
    ]
    packages = [package for package, _ in BERTVIZ_FILES.values()]
    options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    npm = ["npm", "install", *options, "--prefix", folder, *packages]
    if not fetched([pip, npm], "bertviz"):
        return None

    def page(scores: torch.Tensor, words: list[str]) -> tuple[str, int]:
        html = page_of(BERTVIZ_PAGE, folder, scores, words)
        loads = (folder / "node_modules" / path for _, path in BERTVIZ_FILES.values())
        return html, len(html.encode()) + sum(path.stat().st_size for path in loads)

    heads = "[...document.querySelectorAll('rect')].filter(r => r.__on?.some(o => o.type === {}))"
    return Contestant(
        "bertviz head_view",
        page,
        ".background",
        {
            "hover": "(all => all[i * 7 % all.length].dispatchEvent("
            "new MouseEvent('mouseover', {bubbles: true})))"
            "(document.querySelectorAll('#left g:has(> .background)'))",
            "head": "(all => all[i * 7 % all.length].dispatchEvent(new MouseEvent('dblclick')))"
            f"({heads.format(repr('dblclick'))})",
        },
        folder,
    )


def find_circuitsvis(folder: Path) -> Contestant | None:
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "-t", folder, CIRCUITSVIS]
    if not fetched([pip], "CircuitsVis"):
        return None

    def page(scores: torch.Tensor, words: list[str]) -> tuple[str, int]:
        html = page_of(CIRCUITSVIS_PAGE, folder, scores, words)
        return html, len(html.encode())

    return Contestant(
        "CircuitsVis",
        page,
        "canvas",
        {
            "hover": "at([...document.querySelectorAll('canvas')].at(-1), 'mousemove', i)",
            "head": "(all => all[i * 7 % (all.length - 1)].click())"
            "([...document.querySelectorAll('h4')].map(title => title.parentElement))",
        },
        folder,
    )


def open_contestant(
    browser, contestant: Contestant, scores: torch.Tensor, words: list[str]
) -> tuple[Page | None, int]:
    """Open its page and note how long that took; None if the picture does not come in time."""
    html, size = contestant.page(scores, words)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.add_init_script(WATCH.replace("SELECTOR", repr(contestant.selector)))

    def serve(route) -> None:
        name = route.request.url.rpartition("/")[2]
        route.fulfill(path=contestant.folder / "node_modules" / BERTVIZ_FILES[name][1])

    page.route("https://cdnjs.cloudflare.com/**", serve)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "page.html"
        path.write_text(html, encoding="utf-8")
        try:
            page.goto(path.as_uri(), timeout=1000 * LOAD_SECONDS, wait_until="commit")
            page.wait_for_function("window.loaded", timeout=1000 * LOAD_SECONDS)
        except PageTimeout:
            page.close()
            return None, size
    contestant.times["load"] = [page.evaluate("window.loaded")]
    return page, size


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


def verdict(value: float, limit: float | None, unit: str) -> str:
    if limit is None:
        return ""
    return f"  limit {limit:g} {unit}: {'within' if value <= limit else 'OVER'}"


class Clock:
    """Counts the milliseconds of work of a page's main thread."""

    def __init__(self, page: Page):
        self._page = page
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable")

    def _spent(self) -> float:
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return next(1000 * one["value"] for one in metrics if one["name"] == "TaskDuration")

    def work_of(self, act: str, i: int) -> float:
        start = self._spent()
        self._page.evaluate(f"async () => {{ {POINT} const i = {i}; {act}; {SETTLED} }}")
        return self._spent() - start


def check_events(page: Page, clock: Clock, contestant: Contestant) -> None:
    """Fail if an event changes nothing that can be seen: its time would be that of nothing."""
    page.bring_to_front()
    find = f"[...document.querySelectorAll('{contestant.selector}')].at(-1)"
    page.evaluate(f"{find}.scrollIntoView({{block: 'center'}})")
    for event, act in contestant.events.items():
        before = page.screenshot(timeout=1000 * LOAD_SECONDS)
        clock.work_of(act, 3)
        if page.screenshot(timeout=1000 * LOAD_SECONDS) == before:
            raise RuntimeError(f"{contestant.name}: {event} changes nothing")


def compare(browser, contestants: list[Contestant], size: Size, rounds: int) -> None:
    """One table: all contestants at one size."""
    layers, heads, tokens = size
    words = [f"token{i}" for i in range(tokens)]
    scores = 2 * torch.randn(layers, heads, tokens, tokens)
    print(f"\n{layers} layers x {heads} heads x {tokens} tokens")
    pages: dict[str, tuple[Page, Clock]] = {}
    for contestant in contestants:
        contestant.times.clear()
        page, bytes_ = open_contestant(browser, contestant, scores, words)
        limit = PAGE_LIMITS.get(size) if contestant is EXPLORER else None
        print(f"  {contestant.name:18s} page {bytes_ / 1000:9.0f} kB", end="")
        print(verdict(bytes_ / 1000, limit and limit / 1000, "kB"))
        if page is None:
            print(f"  {contestant.name:18s} shows nothing within {LOAD_SECONDS} s")
        else:
            pages[contestant.name] = page, Clock(page)
    if size == (12, 12, 32):
        values = torch.randn(layers, heads, tokens, HEAD_DIM)
        with_values = len(AttentionExplorer(scores, words, values).to_html().encode())
        shown = verdict(with_values / 1000, PAGE_LIMITS[size] / 1000, "kB")
        print(f"  {'explorer, values':18s} page {with_values / 1000:9.0f} kB{shown}")
    for contestant in contestants:
        if opened := pages.get(contestant.name):
            check_events(*opened, contestant)
    for turn in range(rounds):
        for contestant in contestants:
            if opened := pages.get(contestant.name):
                page, clock = opened
                page.bring_to_front()
                for event, act in {"nothing": "", **contestant.events}.items():
                    for i in range(turn * PER_TURN, (turn + 1) * PER_TURN):
                        contestant.times.setdefault(event, []).append(clock.work_of(act, i))
    if opened := pages.get(EXPLORER.name):
        page, clock = opened
        page.bring_to_front()
        EXPLORER.times["mount"] = [clock.work_of("mount()", i) for i in range(MOUNTS)]
    for event in ("load", "nothing", "mount", "hover", "head", "temperature"):
        ours = statistics.median(EXPLORER.times.get(event, [float("nan")]))
        for contestant in contestants:
            if times := contestant.times.get(event):
                limit = None
                if contestant is EXPLORER:
                    limit = MOUNT_LIMITS.get(size) if event == "mount" else EVENT_LIMITS[size]
                    limit = None if event in ("load", "nothing") else limit
                median, most = statistics.median(times), p95(times)
                print(
                    f"  {event:12s}{contestant.name:18s} median {median:8.1f} ms  "
                    f"p95 {most:8.1f} ms  {median / ours:7.2f} x ours{verdict(most, limit, 'ms')}"
                )
    for page, _ in pages.values():
        page.close()


def bench_round_trip(browser, folder: Path) -> None:
    """From a click in JupyterLab to Python and back to the page."""
    source = """
import torch
from course_lib.widgets import AttentionExplorer
explorer = AttentionExplorer(torch.randn(12, 32, 32), [f"t{i}" for i in range(32)])
explorer.observe(lambda c: explorer.set_trait("temperature", 1 + c["new"] / 100), "query")
explorer
"""
    notebook = new_notebook(cells=[new_code_cell(source)], metadata=NOTEBOOK_METADATA)
    write_notebook(folder / "notebooks" / "trip.ipynb", notebook)
    with (
        lab_in_browser.running_lab(folder / "notebooks", folder / "lab") as lab,
        lab_in_browser.watched_page(browser, lab, width=1280, height=900) as watched,
    ):
        page = watched.page
        page.goto(lab.address("/tree/trip.ipynb"))
        lab_in_browser.wait_for_notebook(page, "trip.ipynb")
        lab_in_browser.run_all_cells(page)
        page.locator(".cw").wait_for()
        times = page.evaluate(
            """async rounds => {
                const value = document.querySelector('.cw-value'), times = [];
                const queries = document.querySelectorAll('[aria-label=query] [role=radio]');
                for (let i = 1; i <= rounds; i++) {
                    const start = performance.now();
                    const answer = new Promise(resolve => {
                        const observer = new MutationObserver(() => {
                            observer.disconnect();
                            resolve();
                        });
                        observer.observe(value, {childList: true, subtree: true});
                    });
                    queries[i * 7 % 32].click();
                    await answer;
                    times.push(performance.now() - start);
                }
                return times;
            }""",
            ROUNDS // 4,
        )
        lab_in_browser.stop_kernels(page, lab)
    shown = f"median {statistics.median(times):8.1f} ms  p95 {p95(times):8.1f} ms"
    print("\nJupyterLab, 12 heads x 32 tokens")
    print(f"  explorer, to Python and back  {shown}{verdict(p95(times), ROUND_TRIP_LIMIT, 'ms')}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-lab", action="store_true", help="leave out the round trip to Python")
    parser.add_argument("--quick", action="store_true", help="fewer events, the two small sizes")
    arguments = parser.parse_args()
    executable = lab_in_browser.find_chromium()
    if executable is None:
        print(lab_in_browser.HOW_TO_INSTALL, file=sys.stderr)
        return 1
    torch.manual_seed(0)
    torch.set_num_threads(1)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    sizes = list(EVENT_LIMITS)[: 2 if arguments.quick else None]
    rounds = ROUNDS // 4 if arguments.quick else ROUNDS
    print(f"{os.cpu_count()} cores, load at the start {load:.1f}; {rounds * PER_TURN} events each")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = lab_in_browser.launch_chromium(playwright, executable)
        others = find_bertviz(folder / "bertviz"), find_circuitsvis(folder / "circuitsvis")
        contestants = [EXPLORER, *(other for other in others if other is not None)]
        for size in sizes:
            compare(browser, contestants, size, rounds)
        if not arguments.no_lab:
            bench_round_trip(browser, folder)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
