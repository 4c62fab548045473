"""How fast the attention explorer is in Chromium, beside bertviz's head view: prints tables.

    make bench-widgets                          # about two minutes, on an idle machine
    make bench-widgets BENCH_FLAGS=--no-lab     # without the round trip to Python

A time is that of the event's handler and of the layout that it asks for, which is forced at its
end; painting comes on top, in all alike. bertviz and what its page loads from a CDN are fetched
with pip and npm into a temporary folder and served from there; where that fails, it is left out.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, sync_playwright

import lab_in_browser
from course_lib.widgets import AttentionExplorer
from notebook_files import NOTEBOOK_METADATA, write_notebook

# (heads, tokens) -> limits in milliseconds for the 95th percentile
EVENT_LIMITS = {(12, 32): 16.0, (8, 64): 20.0, (8, 128): None}
MOUNT_LIMITS = {(8, 128): 100.0}
ROUND_TRIP_LIMIT = 100.0
PAGE_LIMIT = 120 * 1024  # bytes, at 12 heads x 32 tokens
ROUNDS = 200
MOUNTS = 20
HEAD_DIM = 64

TIMES_OF = """
const timesOf = (count, act) => Array.from({length: count}, (_, i) => {
    const start = performance.now();
    act(i);
    document.body.offsetHeight;
    return performance.now() - start;
});
"""
HOVER = """rounds => {
    const map = document.querySelector('.cw-board canvas'), box = map.getBoundingClientRect();
    return timesOf(rounds, i => map.dispatchEvent(new PointerEvent('pointermove', {
        clientX: box.left + (i * 37 % 97 + 0.5) / 97 * box.width,
        clientY: box.top + (i * 61 % 89 + 0.5) / 89 * box.height,
    })));
}"""
MASK = """rounds => {
    const box = document.querySelector('.cw input[type=checkbox]');
    return timesOf(rounds, () => box.click());
}"""
TEMPERATURE = """rounds => {
    const slider = document.querySelector('.cw input[type=range]');
    return timesOf(rounds, i => {
        slider.value = -1.5 + i * 7 % 150 / 50;
        slider.dispatchEvent(new Event('input'));
    });
}"""
BERTVIZ_HOVER = """rounds => {
    const tokens = document.querySelectorAll('#left g:has(> .background)');
    return timesOf(rounds, i => tokens[i * 7 % tokens.length].dispatchEvent(
        new MouseEvent('mouseover', {bubbles: true})));
}"""
BERTVIZ_FILES = {
    "require.min.js": ("requirejs@2.3.6", "requirejs/require.js"),
    "d3.min.js": ("d3@5.7.0", "d3/dist/d3.min.js"),
    "jquery.min.js": ("jquery@2.1.4", "jquery/dist/jquery.min.js"),
}
BERTVIZ_PAGE = """
import sys, torch
from bertviz import head_view
heads, tokens = map(int, sys.argv[1:])
weights = torch.softmax(2 * torch.randn(1, heads, tokens, tokens), dim=-1)
page = head_view([weights], [f"token{i}" for i in range(tokens)], html_action="return")
print('<script src="https://cdnjs.cloudflare.com/require.min.js"></script>' + page.data)
"""


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def row(name: str, times: list[float], limit: float | None = None) -> None:
    verdict = (
        ""
        if limit is None
        else f"  limit {limit:g} ms: {'within' * (p95(times) <= limit) or 'OVER'}"
    )
    print(
        f"  {name:32s} median {statistics.median(times):7.1f} ms  p95 {p95(times):7.1f} ms{verdict}"
    )


def bench_explorer(page: Page, folder: Path, heads: int, tokens: int) -> None:
    words = [f"token{i}" for i in range(tokens)]
    scores, values = 2 * torch.randn(heads, tokens, tokens), torch.randn(heads, tokens, HEAD_DIM)
    html = AttentionExplorer(scores, words, values).to_html()
    mounted = "window.mount = () => widget.render({"
    path = folder / "explorer.html"
    path.write_text(
        html.replace("widget.render({", TIMES_OF + "window.timesOf = timesOf;" + mounted)
    )
    page.goto(path.as_uri())
    page.wait_for_function("window.mount")
    print(f"\n{heads} heads x {tokens} tokens")
    mounts = page.evaluate("rounds => timesOf(rounds, () => mount())", MOUNTS)
    row("explorer, mount", mounts, MOUNT_LIMITS.get((heads, tokens)))
    limit = EVENT_LIMITS[heads, tokens]
    for name, script in (("hover", HOVER), ("mask", MASK), ("temperature", TEMPERATURE)):
        row(f"explorer, {name}", page.evaluate(script, ROUNDS), limit)


def fetch_bertviz(folder: Path) -> bool:
    """Install bertviz and what its page loads into `folder`; say so when that fails."""
    packages = [package for package, _ in BERTVIZ_FILES.values()]
    commands = (
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "-t", folder, "bertviz==1.4.1"],
        ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, *packages],
    )
    try:
        for command in commands:
            subprocess.run(command, check=True, capture_output=True, timeout=180)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"bertviz is left out: {error}", file=sys.stderr)
        return False
    return True


def bench_bertviz(page: Page, folder: Path, heads: int, tokens: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BERTVIZ_PAGE, str(heads), str(tokens)],
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )

    def serve(route) -> None:
        name = route.request.url.rpartition("/")[2]
        route.fulfill(path=folder / "node_modules" / BERTVIZ_FILES[name][1])

    page.route("https://cdnjs.cloudflare.com/**", serve)
    path = folder / "bertviz.html"
    path.write_text(
        f"<body><script>{TIMES_OF}window.begin = performance.now()</script>{done.stdout}"
    )
    page.goto(path.as_uri())
    page.wait_for_selector(".background", state="attached", timeout=30_000)
    seconds = page.evaluate("performance.now() - begin") / 1000
    print(f"  {'bertviz, load once':32s}        {1000 * seconds:7.1f} ms")
    row("bertviz, hover", page.evaluate(BERTVIZ_HOVER, ROUNDS // 10))


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
    print("\nJupyterLab, 12 heads x 32 tokens")
    row("explorer, to Python and back", times, ROUND_TRIP_LIMIT)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-lab", action="store_true", help="leave out the round trip to Python")
    arguments = parser.parse_args()
    executable = lab_in_browser.find_chromium()
    if executable is None:
        print(lab_in_browser.HOW_TO_INSTALL, file=sys.stderr)
        return 1
    torch.manual_seed(0)
    torch.set_num_threads(1)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    print(f"{os.cpu_count()} cores, load at the start {load:.1f}; {ROUNDS} events each")
    explorer = AttentionExplorer(torch.randn(12, 32, 32), [f"token{i}" for i in range(32)])
    size = len(explorer.to_html().encode())
    verdict = "within" if size <= PAGE_LIMIT else "OVER"
    print(
        f"page at 12 heads x 32 tokens: {size / 1024:.0f} of {PAGE_LIMIT / 1024:.0f} kB: {verdict}"
    )
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = lab_in_browser.launch_chromium(playwright, executable)
        has_bertviz = fetch_bertviz(folder)
        for heads, tokens in EVENT_LIMITS:
            page = browser.new_page(viewport={"width": 1000, "height": 900})
            bench_explorer(page, folder, heads, tokens)
            if has_bertviz:
                bench_bertviz(page, folder, heads, tokens)
            page.close()
        if not arguments.no_lab:
            bench_round_trip(browser, folder)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
