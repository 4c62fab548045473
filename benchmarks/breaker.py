"""How fast SmolLM2 is in a browser: prints a table.

    make bench-breaker

One headless Chromium, and a server on this machine, so that a load from the network is as fast as
one can be. Each thing is done several times. Printed are the fewest and the median milliseconds by
the clock, and the median of the processor time, as Chromium counts it for all its processes: other
programs on the machine hardly change that. Tokens a second go by the fewest milliseconds.
"""

import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from tools.notebooks.notebook_files import ROOT
from tools.site import lab_in_browser
from tools.site.local_server import served
from tools.site.model_in_browser import model_files

PAGE = """<!doctype html><script type="module">
import { Engine } from "./src/breaker/engine.js";
window.start = () => { window.engine = new Engine("breaker/"); return engine.load(); };
window.write = async (ids, maxNew) => {
    let count = 0;
    for await (const step of engine.write(ids, {maxNew})) count++;
    return count;
};
window.again = async (ids, maxNew) => {  // without a cache: each token anew from layer 0 on
    for (let i = 0; i < maxNew; i++) await engine.run([...ids, ...Array(i).fill(i)],
        {changes: i % 2 ? [[0, 0]] : []});
};
</script>"""
TEXT = "The capital of France is"
SIXTEEN = "The old keys to the cabinet near the door of the house are on the table"
TURNS = 5
NEW = 24
# What is done before, unmeasured, and what is measured; how many tokens it writes.
TASKS = {
    "first token of a new text of 5 tokens": ("engine.run([1])", "write(text, 1)", 1),
    "write 24 tokens, with a cache": ("engine.run([1])", f"write(text, {NEW})", NEW),
    "write 24 tokens, without a cache": ("engine.run([1])", f"again(text, {NEW})", NEW),
    "read 16 tokens, with all 270 maps": (
        "engine.run([1])",
        "engine.run(sixteen, {maps: true})",
        0,
    ),
    "the same, a head of layer 15 off": (
        "engine.run(sixteen)",
        "engine.run(sixteen, {maps: true, changes: [[15, 0]]})",
        0,
    ),
    "the effects of 45 heads on 16 tokens": (
        "engine.run([1])",
        "engine.effects(sixteen, {heads: every.filter((_, i) => i % 6 === 0)}, () => {})",
        0,
    ),
    "the same, a head of layer 29 off": (
        "engine.run(sixteen)",
        "engine.run(sixteen, {maps: true, changes: [[29, 0]]})",
        0,
    ),
}


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as name,
        served(folder := Path(name)) as (address, _),
        sync_playwright() as playwright,
    ):
        (folder / "index.html").write_text(PAGE, encoding="utf-8")
        (folder / "src").symlink_to(ROOT / "widgets_js" / "src")
        (folder / "breaker").mkdir()
        for file, content in model_files(ROOT).items():
            (folder / "breaker" / file).write_bytes(content)
        loads = sum(path.stat().st_size for path in (folder / "breaker").iterdir())
        print(f"loaded once: {loads / 1e6:.1f} MB\n")
        print("| | fewest ms | median ms | median processor ms | tokens a second |")
        print("| --- | --- | --- | --- | --- |")
        chromium = lab_in_browser.launch_chromium(
            playwright.chromium, lab_in_browser.find_chromium()
        )
        system = chromium.new_browser_cdp_session()

        def processor() -> float:
            processes = system.send("SystemInfo.getProcessInfo")["processInfo"]
            return sum(process["cpuTime"] for process in processes)

        def measured(page, script: str) -> tuple[float, float]:
            began, used = time.perf_counter(), processor()
            page.evaluate(script)
            return (time.perf_counter() - began) * 1000, (processor() - used) * 1000

        def row(what: str, times: list[tuple[float, float]], tokens: int = 0) -> None:
            clock = [by_clock for by_clock, _ in times]
            used = statistics.median(by_processor for _, by_processor in times)
            speed = f"{tokens / min(clock) * 1000:.1f}" if tokens else ""
            middle = statistics.median(clock)
            print(f"| {what} | {min(clock):.0f} | {middle:.0f} | {used:.0f} | {speed} |")

        fresh, kept = [], []
        for _ in range(3):
            page = chromium.new_context().new_page()
            page.goto(address)
            fresh.append(measured(page, "start()"))
            page.reload()
            kept.append(measured(page, "start()"))
            if len(fresh) < 3:
                page.context.close()
        row("load from a server", fresh)
        row("load what the browser keeps", kept)
        page.evaluate(f"window.text = engine.encode({TEXT!r})")
        page.evaluate(f"window.sixteen = engine.encode({SIXTEEN!r}).slice(0, 16)")
        assert page.evaluate("sixteen.length") == 16
        page.evaluate(
            "window.every = Array.from({length: 270}, (_, i) => [Math.floor(i / 9), i % 9])"
        )
        for what, (before, task, tokens) in TASKS.items():
            times = []
            for _ in range(TURNS):
                page.evaluate(f"(async () => void await {before})()")
                times.append(measured(page, f"(async () => void await {task})()"))
            row(what, times, tokens)
        chromium.close()


if __name__ == "__main__":
    main()
