"""How large and how fast the attention explorer is beside bertviz and CircuitsVis: prints tables.

    make bench-widgets                          # about five minutes
    make bench-widgets BENCH_FLAGS=--no-lab     # without the round trip to Python
    make bench-widgets BENCH_FLAGS=--quick      # a quarter of the events, and the two small sizes

All show the same weights in one Chromium and take turns. The time of an event is the work of the
page's main thread from the event until two frames later: handler, timers, layout and painting, as
Chromium itself counts it (TaskDuration). It is counted twice: in processor time, which other
programs on the machine hardly change and which is held against the limits, and by the clock.
"nothing" is the same without an event: what measuring takes; where its clock runs ahead of its
processor time, the machine was busy, and the output says so. What the explorer leaves for later
frames, such as the small maps after a change of the temperature, is counted until it rests, and
printed as "later". Loading is from the start of the page to the first frame in which the first
map (or line) is there, by the clock. An event that takes longer than a second is measured twice.

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

from course_lib.widgets import AttentionExplorer
from tools.notebooks.notebook_files import NOTEBOOK_METADATA, write_notebook
from tools.site import lab_in_browser

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
ROUNDS, PER_TURN = 8, 5  # events of each kind, where there is a limit; half as many elsewhere
MOUNTS = 10
SLOW = 1000.0  # milliseconds; so slow an event is measured twice
BUSY = 1.5  # how much longer by the clock "nothing" may take
LOAD_SECONDS = 60

# Notes when the picture is there.
WATCH = """
const look = () => {
    if (document.querySelector(SELECTOR)) window.loaded = performance.now();
    else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
SETTLED = """await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
})));"""
POINT = """const at = (map, kind, i) => {
    const box = map.getBoundingClientRect();
    map.dispatchEvent(new (kind.startsWith('pointer') ? PointerEvent : MouseEvent)(kind, {
        bubbles: true, cancelable: true, view: window,
        clientX: box.left + (i * 37 % 97 + 0.5) / 97 * box.width,
        clientY: box.top + (i * 61 % 89 + 0.5) / 89 * box.height}));
};"""


@dataclass
class Times:
    """Milliseconds of one kind of event."""

    processor: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)
    later: list[float] = field(default_factory=list)  # processor time, after the two frames


@dataclass
class Contestant:
    """One way to show the weights, and how to touch it: JavaScript of the event's number i."""

    name: str
    page: Callable[[torch.Tensor, list[str]], tuple[str, int]]  # HTML, bytes of all that it loads
    selector: str  # there when the picture is; the last one is looked at
    events: dict[str, str]
    folder: Path | None = None  # of what its page loads
    load: float | None = None  # milliseconds, by the clock
    times: dict[str, Times] = field(default_factory=dict)


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
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "-t", folder, BERTVIZ]
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
    contestant.load = page.evaluate("window.loaded")
    return page, size


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]


def verdict(value: float, limit: float | None, unit: str) -> str:
    if limit is None:
        return ""
    return f"  limit {limit:g} {unit}: {'within' if value <= limit else 'OVER'}"


class Clock:
    """Counts the milliseconds of work of a page's main thread."""

    def __init__(self, page: Page):
        self._page = page
        self._sessions = {}
        for domain in ("threadTicks", "timeTicks"):
            self._sessions[domain] = page.context.new_cdp_session(page)
            self._sessions[domain].send("Performance.enable", {"timeDomain": domain})

    def _spent(self, domain: str = "threadTicks") -> float:
        metrics = self._sessions[domain].send("Performance.getMetrics")["metrics"]
        return next(1000 * each["value"] for each in metrics if each["name"] == "TaskDuration")

    def count(self, times: Times, act: str, i: int) -> None:
        """Let the event happen and add what it took."""
        start = self._spent("timeTicks"), self._spent()
        self._page.evaluate(f"async () => {{ {POINT} const i = {i}; {act}; {SETTLED} }}")
        processor = self._spent()
        times.processor.append(processor - start[1])
        times.clock.append(self._spent("timeTicks") - start[0])

    def rest(self, times: Times) -> None:
        """Wait until the page does nothing any more, and add what it did meanwhile."""
        start = now = self._spent()
        while True:
            self._page.wait_for_timeout(100)
            before, now = now, self._spent()
            if now - before < 1.0:
                break
        times.later.append(now - start)


def check_events(page: Page, clock: Clock, contestant: Contestant) -> None:
    """Fail if an event changes nothing that can be seen: its time would be that of nothing."""
    page.bring_to_front()
    find = f"[...document.querySelectorAll('{contestant.selector}')].at(-1)"
    page.evaluate(f"{find}.scrollIntoView({{block: 'center'}})")
    for event, act in contestant.events.items():
        before = page.screenshot(timeout=1000 * LOAD_SECONDS)
        clock.count(Times(), act, 3)
        if page.screenshot(timeout=1000 * LOAD_SECONDS) == before:
            raise RuntimeError(f"{contestant.name}: {event} changes nothing")


def take_turns(contestants: list[Contestant], pages: dict, rounds: int) -> None:
    """Let each event happen many times, one contestant after the other."""
    for turn in range(rounds):
        for contestant in contestants:
            page, clock = pages[contestant.name]
            page.bring_to_front()
            for event, act in {"nothing": "", **contestant.events}.items():
                times = contestant.times.setdefault(event, Times())
                for i in range(turn * PER_TURN, (turn + 1) * PER_TURN):
                    if len(times.processor) >= 2 and min(times.processor) > SLOW:
                        break
                    clock.count(times, act, i)
                    if contestant is EXPLORER:
                        clock.rest(times)
    if EXPLORER.name in pages:
        page, clock = pages[EXPLORER.name]
        page.bring_to_front()
        mounts = EXPLORER.times["mount"] = Times()
        for i in range(MOUNTS):
            clock.count(mounts, "mount()", i)
            clock.rest(mounts)


def print_times(contestants: list[Contestant], size: Size) -> None:
    """One line for each event and contestant, and whether the machine was busy."""
    loads = {rival.name: rival.load for rival in contestants if rival.load is not None}
    for name, load in loads.items():
        print(f"  load        {name:18s} {load:8.1f} ms by the clock")
    for event in ("nothing", "mount", "hover", "head", "temperature"):
        ours = EXPLORER.times.get(event)
        for contestant in contestants:
            times = contestant.times.get(event)
            if times is None:
                continue
            median, most = statistics.median(times.processor), p95(times.processor)
            line = (
                f"  {event:12s}{contestant.name:18s} median {median:7.1f} ms  p95 {most:7.1f} ms"
                f" of {len(times.processor):2d}  clock p95 {p95(times.clock):7.1f} ms"
            )
            if contestant is EXPLORER:
                limit = MOUNT_LIMITS.get(size) if event == "mount" else EVENT_LIMITS[size]
                line += f"  later {statistics.median(times.later):5.1f} ms"
                line += verdict(most, None if event == "nothing" else limit, "ms")
            elif ours:
                line += f"  {median / statistics.median(ours.processor):.2f} x ours"
            print(line)
    for contestant in contestants:
        if nothing := contestant.times.get("nothing"):
            clock, work = p95(nothing.clock), p95(nothing.processor)
            if clock > BUSY * work + 1:
                print(
                    f"  The machine was busy: {contestant.name}'s nothing took {clock:.1f} ms by "
                    f"the clock (p95), {work:.1f} ms of it work. Loading and clock say little."
                )


def compare(browser, contestants: list[Contestant], size: Size, rounds: int) -> None:
    """One table: all contestants at one size."""
    layers, heads, tokens = size
    words = [f"token{i}" for i in range(tokens)]
    scores = 2 * torch.randn(layers, heads, tokens, tokens)
    print(f"\n{layers} layers x {heads} heads x {tokens} tokens")
    pages: dict[str, tuple[Page, Clock]] = {}
    for contestant in contestants:
        contestant.times.clear()
        contestant.load = None
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
    opened = [contestant for contestant in contestants if contestant.name in pages]
    for contestant in opened:
        check_events(*pages[contestant.name], contestant)
    take_turns(opened, pages, rounds if EVENT_LIMITS[size] else max(rounds // 2, 1))
    print_times(contestants, size)
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
    print(
        f"{os.cpu_count()} cores, load at the start {load:.1f}; medians and p95 in processor time"
    )
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = lab_in_browser.launch_chromium(playwright.chromium, executable)
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
