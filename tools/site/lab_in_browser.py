"""Drive JupyterLab in a real Chromium, as a student uses it.

The browser tests (tests/browser) and tools/site/pictures.py share these functions. JupyterLab
gets a copy of the course and its own folders for settings, so nothing is written in the checkout.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from nbformat import NotebookNode
from playwright.sync_api import Browser, BrowserType, Page

from tools.notebooks.notebook_files import ROOT, read_notebook, without_outputs, write_notebook

# The first has no windows, menus and tabs, and takes two thirds of the others' time.
BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
HOW_TO_INSTALL = (
    "no Chromium on PATH (looked for " + ", ".join(BROWSERS) + "). Install one, for example with "
    "`apt-get install chromium` on Debian or `snap install chromium` on Ubuntu."
)
# Generous: they only end a run that hangs.
START_SECONDS = 120
PAGE_SECONDS = 120
RUN_ALL_SECONDS = 240
# What a kernel runs at its start lies here, in the folder for Jupyter's own files.
LAB_SETTINGS = Path("tools", "release", "lab_settings")  # no question about Jupyter's news
STARTUP = Path("ipython", "profile_default", "startup")
# Evaluated in a page, this waits until it has been drawn anew.
TWO_FRAMES = """() => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(() => done(0))))"""


def find_chromium() -> str | None:
    """The path of the first Chromium on PATH, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


# A graphics processor in software, for pages that want one.
SOFTWARE_GPU = (
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--enable-features=Vulkan",
)


def launch_chromium(
    chromium: BrowserType, executable: str, graphics: tuple[str, ...] = ("--disable-gpu",)
) -> Browser:
    """Start a headless Chromium that talks to nobody but the pages that it is given."""
    options = [
        *graphics,
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--no-sandbox")  # Chromium's sandbox refuses to run as root
    return chromium.launch(executable_path=executable, args=options)


def copy_course(target: Path) -> Path:
    """Copy the notebooks that a student opens to `target` and return it.

    Outputs and execution counts are removed, so that what is seen later was made in this run.
    """
    for folder in ("notebooks", "exercises"):
        shutil.copytree(
            ROOT / folder,
            target / folder,
            ignore=shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__"),
        )
    for path in target.rglob("*.ipynb"):
        write_notebook(path, without_outputs(read_notebook(path)))
    return target


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells that Run All executes: those that are not empty."""
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab: its address, its token, its top folder and its log."""

    url: str
    token: str
    folder: Path
    log: Path

    def address(self, path: str = "") -> str:
        """The address of `path` in this JupyterLab, with the token, and no other tabs open."""
        return f"{self.url}lab{path}?token={self.token}&reset"

    def start_page(self) -> str:
        """The address that JupyterLab opens by itself where there is a browser window."""
        pattern = re.compile(re.escape(self.url) + r"\S*token=\S+")
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if address := pattern.search(self.log.read_text()):
                return address[0]
            time.sleep(0.2)
        raise RuntimeError(f"JupyterLab did not print its address:\n{self.log.read_text()}")


@contextmanager
def running_lab(folder: Path, private: Path, *arguments: str) -> Iterator[Lab]:
    """Start `jupyter lab ARGUMENTS` in `folder`, wait until it answers, and stop it at the end.

    `private` receives Jupyter's settings and log. News, update checks and the list of extensions
    are off, so that JupyterLab asks nothing of the network or of the student.
    """
    pages = private / "config" / "labconfig"
    pages.mkdir(parents=True)
    # Students have no nbgrader; who tests the course has.
    (pages / "page_config.json").write_text('{"disabledExtensions": {"@jupyter/nbgrader": true}}')
    runtime, log = private / "runtime", private / "jupyterlab.log"
    env = os.environ | {
        "JUPYTER_CONFIG_DIR": str(private / "config"),
        "JUPYTER_DATA_DIR": str(private / "data"),
        "JUPYTER_RUNTIME_DIR": str(runtime),
        "JUPYTERLAB_SETTINGS_DIR": str(private / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(private / "workspaces"),
        "IPYTHONDIR": str(private / "ipython"),
    }
    env.pop("COURSE_EXPECT", None)  # a student has none
    command = [sys.executable, "-m", "jupyterlab", *arguments]
    # Of two servers that start at once, both may find Jupyter's usual port free, and one then ends.
    command += ["--no-browser", "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0"]
    if not any("app_settings_dir" in argument for argument in arguments):
        command.append(f"--LabApp.app_settings_dir={ROOT / LAB_SETTINGS}")
    command += ["--LabApp.extension_manager=readonly", "--LabApp.expose_app_in_browser=True"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    with log.open("w") as messages:
        server = subprocess.Popen(
            command, cwd=folder, env=env, stdout=messages, stderr=subprocess.STDOUT
        )
    try:
        info = _wait_for_server(server, runtime, log)
        yield Lab(info["url"], info["token"], Path(info["root_dir"]), log)
    finally:
        server.terminate()
        try:
            server.wait(timeout=30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait_for_server(server: subprocess.Popen, runtime: Path, log: Path) -> dict:
    """What the server says about itself, once it answers to its own token."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        for path in runtime.glob("jpserver-*.json"):
            try:
                info = json.loads(path.read_text())
                with urlopen(f"{info['url']}api/status?token={info['token']}", timeout=10):
                    return info
            except (json.JSONDecodeError, OSError):
                pass  # half written, or it does not listen yet, or another one answered
        time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")


@dataclass
class Watched:
    """A page and what it complained about."""

    page: Page
    complaints: list[str] = field(default_factory=list)


@contextmanager
def watched_page(browser: Browser, lab: Lab, *, width: int, height: int) -> Iterator[Watched]:
    """A page that reaches nothing but `lab`, with its errors collected.

    A picture from elsewhere (the Open-in-Colab badge) is not loaded, and that is no complaint.
    """
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(PAGE_SECONDS * 1000)
    context.route(lambda url: not url.startswith(lab.url), lambda route: route.abort())
    page = context.new_page()
    watched = Watched(page)

    def on_console(message) -> None:
        elsewhere = not message.location.get("url", "").startswith(lab.url)
        if message.type == "error" and not (elsewhere and "ERR_FAILED" in message.text):
            watched.complaints.append(f"console: {message.text} ({message.location})")

    page.on("console", on_console)
    page.on("pageerror", lambda error: watched.complaints.append(f"page error: {error}"))
    try:
        yield watched
    finally:
        context.close()


def wait_for_notebook(page: Page, name: str) -> None:
    """Wait until the notebook `name` is the tab in front and its kernel is idle."""
    page.wait_for_function(
        """name => {
            const widget = window.jupyterapp?.shell?.currentWidget;
            return widget?.title?.label === name
                && widget.sessionContext?.session?.kernel?.status === 'idle';
        }""",
        arg=name,
    )


def run_all_cells(page: Page) -> None:
    """Choose Run > Run All Cells, and wait until every cell has run and the kernel is idle."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(
        """() => {
            const {content, sessionContext} = window.jupyterapp.shell.currentWidget;
            const code = content.widgets.map(cell => cell.model)
                .filter(model => model.type === 'code' && model.sharedModel.getSource().trim());
            const failed = code.some(model =>
                model.outputs.toJSON().some(output => output.output_type === 'error'));
            const done = code.every(model => model.executionCount !== null);
            return sessionContext.session?.kernel?.status === 'idle' && (failed || done);
        }""",
        timeout=RUN_ALL_SECONDS * 1000,
    )


def save_and_read(page: Page, path: Path) -> NotebookNode:
    """Choose File > Save Notebook and read what was written.

    The file is the whole truth: JupyterLab keeps cells that are far off the screen out of the page.
    """
    page.get_by_role("menuitem", name="File", exact=True).click()
    # The name of this entry ends with its keyboard shortcut; "Save Notebook As" is another one.
    page.get_by_role("menuitem", name=re.compile(r"^Save Notebook(?! As)")).click()
    page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")
    return read_notebook(path)


@dataclass
class Rendered:
    """What the page shows of a notebook's outputs."""

    pictures: int = 0
    broken_pictures: int = 0
    problems: list[str] = field(default_factory=list)


def look_at_every_cell(page: Page) -> Rendered:
    """Scroll to each cell in turn, as a reader does, and collect what is rendered there."""
    seen = Rendered()
    count = page.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets.length")
    for index in range(count):
        cell = page.evaluate(
            """async index => {
                const {content} = window.jupyterapp.shell.currentWidget;
                await content.scrollToItem(index, 'start');
                const cell = content.widgets[index];
                await cell.ready;
                await new Promise(resolve => requestAnimationFrame(resolve));
                const shown = selector => [...cell.node.querySelectorAll(selector)];
                const pictures = shown(
                    '.jp-OutputArea .jp-RenderedImage img, .jp-OutputArea .jp-RenderedSVG img, '
                    + '.jp-OutputArea .course-figure, .jp-OutputArea .course-drawing');
                await Promise.allSettled(pictures.map(picture => picture.decode()));
                return {
                    attached: cell.node.isConnected,
                    pictures: pictures.length,
                    broken: pictures.filter(picture => !picture.naturalWidth).length,
                    stderr: shown('[data-mime-type="application/vnd.jupyter.stderr"]')
                        .map(node => node.innerText),
                    text: shown('.jp-OutputArea-output').map(node => node.innerText).join('\\n'),
                };
            }""",
            index,
        )
        seen.pictures += cell["pictures"]
        seen.broken_pictures += cell["broken"]
        if not cell["attached"]:
            seen.problems.append(f"cell {index} is not shown after scrolling to it")
        seen.problems += [f"cell {index} shows {text!r}" for text in cell["stderr"]]
        for sign in ("Traceback (most recent call last)", "Error displaying widget"):
            if sign in cell["text"]:
                seen.problems.append(f"cell {index} shows {sign!r}")
    return seen


def stop_kernels(page: Page, lab: Lab) -> None:
    """Shut down every kernel of `lab`, so that the next notebook has the memory."""
    headers = {"Authorization": f"token {lab.token}"}
    for session in page.request.get(f"{lab.url}api/sessions", headers=headers).json():
        page.request.delete(f"{lab.url}api/sessions/{session['id']}", headers=headers)
