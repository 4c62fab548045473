"""The widgets in JupyterLab: clicks reach the kernel, and what Python sets reaches the page."""

import re

from nbformat.v4 import new_code_cell, new_notebook

import course_lib.widgets
from tools.notebooks.notebook_files import NOTEBOOK_METADATA, write_notebook
from tools.site import lab_in_browser


def open_widget(page, lab, name, *cells):
    """Write a notebook with these cells, open it, run the first one and return its widget."""
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    notebook.metadata = NOTEBOOK_METADATA
    write_notebook(lab.folder / name, notebook)
    page.goto(lab.address(f"/tree/{name}"))
    lab_in_browser.wait_for_notebook(page, name)
    return widget_of(page, 0)


def widget_of(page, index):
    """Run one cell and return its widget."""
    run_cell(page, index)
    shown = "window.jupyterapp.shell.currentWidget.content"
    page.evaluate(f"index => {shown}.scrollToItem(index)", index)
    widget = page.locator(f".jp-Cell[data-windowed-list-index='{index}'] .cw:not(.cw .cw)")
    widget.wait_for()
    return widget


def run_cell(page, index):
    """Run one cell, wait until the kernel is idle, and return what it printed."""
    return page.evaluate(
        """async index => {
            const {content, sessionContext} = window.jupyterapp.shell.currentWidget;
            content.deselectAll();
            content.activeCellIndex = index;
            await window.jupyterapp.commands.execute('notebook:run-cell');
            const outputs = content.widgets[index].model.outputs.toJSON();
            const failed = outputs.find(output => output.output_type === 'error');
            if (failed) throw new Error(failed.ename + ': ' + failed.evalue);
            return outputs.filter(output => output.name === 'stdout').map(o => o.text).join('');
        }""",
        index,
    ).strip()


def run_until(page, index, is_right):
    """Run a cell until what it prints is right, and return that.

    ipywidgets holds a change back while the kernel still works on the one before, so a cell that
    is run at once may come first.
    """
    for _ in range(200):
        printed = run_cell(page, index)
        if is_right(printed):
            break
        page.wait_for_timeout(250)
    return printed


def assert_kernel_prints(page, index, expected):
    assert run_until(page, index, lambda printed: printed == expected) == expected


EXPLORER = """
import torch
from course_lib.widgets import AttentionExplorer
explorer = AttentionExplorer(torch.randn(3, 4, 4), "my bank was closed".split(), query=1)
explorer
"""
READ = "print(explorer.head, explorer.query, explorer.causal, round(explorer.temperature, 2))"


def test_explorer_and_kernel_agree(browser, lab, screenshots):
    with lab_in_browser.watched_page(browser, lab, width=1280, height=900) as watched:
        page = watched.page
        cells = EXPLORER, READ, "explorer.head, explorer.query = 0, 3"
        widget = open_widget(page, lab, "explorer.ipynb", *cells)
        status = widget.get_by_role("status")
        assert status.inner_text().startswith("head 0, query “bank”")
        widget.get_by_role("radio", name="head 1").click()
        page.keyboard.press("ArrowRight")  # JupyterLab would take it to the next cell
        assert page.evaluate("document.activeElement.ariaLabel") == "head 2"
        widget.get_by_role("radiogroup", name="query").get_by_role("radio").nth(1).focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("d")  # twice, it would delete the cell
        page.keyboard.press("d")
        widget.get_by_role("button", name="More", exact=True).click()
        widget.get_by_label("causal mask").check()
        widget.get_by_label("temperature").fill("0.5")
        assert_kernel_prints(page, 1, "2 2 True 3.16")
        run_cell(page, 2)
        status.get_by_text("closed").first.wait_for()
        assert re.match(r"head 0, query “closed” ", status.inner_text())

        page.evaluate(
            """() => window.jupyterapp.commands.execute(
                'apputils:change-theme', {theme: 'JupyterLab Dark'})"""
        )
        page.wait_for_function("() => document.body.dataset.jpThemeLight === 'false'")
        page.wait_for_function(  # the theme's style sheet arrives
            """() => {
                const widget = document.querySelector('.jp-OutputArea .cw');
                return getComputedStyle(widget).backgroundColor.match(/\\d+/)[0] < 60;
            }"""
        )
        page.wait_for_function(  # and the maps have the colours of the dark page
            """() => document.querySelector('.jp-OutputArea .cw').style
                .getPropertyValue('--ramp').includes('#121212')"""
        )
        page.screenshot(path=screenshots / "explorer_in_jupyterlab_dark.png")
        assert watched.complaints == []
        lab_in_browser.stop_kernels(page, lab)
        # A picture without a kernel stays alive.
        widget.get_by_role("radio", name="head 1").click()
        assert status.inner_text().startswith("head 1, ")
    # JupyterLab may not have noticed yet that nobody listens.
    assert all("Could not send widget sync message" in text for text in watched.complaints)


SENTENCE = """
import torch
from course_lib import DecoderLM
from course_lib.widgets import SentenceLab
model = DecoderLM(5, 12, 3, 2, positions="rotary").eval()
torch.nn.init.normal_(model.head.weight)
lab = SentenceLab(model, ["aa", "bb", "cc", "dd", "ee"], "aa bb", max_tokens=5, off=[])
lab
"""
MODEL = """
import torch
from course_lib import DecoderLM
from course_lib.widgets import ModelLab
model = DecoderLM(26, 12, 3, 2, positions="rotary").eval()
torch.nn.init.normal_(model.head.weight)
def encode(text):
    return torch.tensor([[ord(one) - ord("a") for one in text]]), list(text)
lab = ModelLab(model, encode, lambda i: chr(ord("a") + i), "abca", max_tokens=6)
lab
"""


def switch_a_head_and_see_it(widget):
    """The model's answer comes from the kernel."""
    widget.get_by_role("gridcell", name="layer 1, head 0").click()
    status = widget.get_by_role("status").first
    status.get_by_text("One of 6 heads is off: head 0 of layer 1; ").wait_for()


OTHERS = {
    "soft_lookup": (
        "from course_lib.widgets import SoftLookup\n"
        "w = SoftLookup([[1.0, 0.0], [0.0, 1.0]], ['a', 'b'])\nw",
        lambda widget: widget.get_by_label("temperature").fill("1"),
        "print(w.temperature)",
        "10.0",
    ),
    "mask_lab": (
        "from course_lib.widgets import MaskLab\nw = MaskLab(list('abcd'), padding=1)\nw",
        lambda widget: widget.get_by_role("radio", name="padding", exact=True).click(),
        "print(w.mask.int().tolist()[0])",
        "[1, 1, 1, 0]",
    ),
    "scaling_lab": (
        "from course_lib.widgets import ScalingLab\nw = ScalingLab()\nw",
        lambda widget: widget.get_by_label("dₖ", exact=True).press("End"),
        "print(w.d_k)",
        "512",
    ),
    "reshape_stepper": (
        "from course_lib.widgets import ReshapeStepper\nw = ReshapeStepper()\nw",
        lambda widget: widget.get_by_role("radio", name="0 projection").press("ArrowLeft"),
        "print(w.step)",
        "5",
    ),
    "live_drawing": (
        "from course_lib.figures.drawings import single_head\n"
        "from course_lib.widgets import LiveDrawing\n"
        "w = LiveDrawing(single_head(), at=('Q', 1, 0))\nw",
        lambda widget: widget.get_by_role("application").press("ArrowRight"),
        "print(w.at)",
        "['Q', 1, 1]",
    ),
    "sentence_lab": (
        SENTENCE,
        lambda widget: widget.get_by_role("button", name="switch off layer 1, head 2").click(),
        "print(lab.off)",
        "[[1, 2]]",
    ),
    "model_lab": (MODEL, switch_a_head_and_see_it, "print(lab.off)", "[[1, 0]]"),
}


def test_what_is_clicked_reaches_the_kernel(browser, lab):
    """Of each of the other widgets, in one notebook."""
    opened = EXPLORER + "".join(source for source, *_ in OTHERS.values())
    assert all(f"import {name}" in opened for name in course_lib.widgets.__all__)
    cells = [cell for source, _, read, _ in OTHERS.values() for cell in (source, read)]
    with lab_in_browser.watched_page(browser, lab, width=1280, height=900) as watched:
        page = watched.page
        open_widget(page, lab, "others.ipynb", *cells)
        for number, (_, touch, _, expected) in enumerate(OTHERS.values()):
            touch(widget_of(page, 2 * number))
            assert_kernel_prints(page, 2 * number + 1, expected)
        lab_in_browser.stop_kernels(page, lab)
    assert watched.complaints == []
