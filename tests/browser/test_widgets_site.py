"""The pages of `make site` in Chromium: no Python, no network, and the widgets work."""

from contextlib import contextmanager

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import build_site
import lab_in_browser
from notebook_files import NOTEBOOK_METADATA, find_notebooks, write_notebook

TOKENS = ["the", "<b>bank", "</script>"]
EVERY_WIDGET = f"""
import torch
from course_lib import DecoderLM
from course_lib.widgets import *
from IPython.display import display
tokens = {TOKENS}
display(AttentionExplorer(torch.randn(4, 3, 3), tokens, torch.randn(4, 3, 2)))
display(SoftLookup([[1.0, 0.0], [0.0, 1.0]], ["a", "b"]))
display(MaskLab(tokens, padding=1, window=2))
display(ScalingLab())
display(ReshapeStepper())
model = DecoderLM(3, 4, 2, 2, positions="rotary").eval()
encode = lambda text: (torch.tensor([[tokens.index(t) for t in text.split()]]), text.split())
runs = [("</script> the", []), ("the <b>bank", [(1, 0)])]
display(ModelLab(model, encode, lambda number: tokens[number], "the </script>", runs=runs))
SentenceLab(lambda text: (text.split(), torch.zeros(1, 2, 2)), "two words")
"""
NUMBER_OF_WIDGETS = 7


@pytest.fixture(scope="module")
def site(course, tmp_path_factory):
    """The site of the lessons, and of a notebook that has every widget."""
    folder = tmp_path_factory.mktemp("site")
    build_site.build(find_notebooks(course, ("notebooks",)), course, folder / "lessons")
    root = tmp_path_factory.mktemp("every-widget")
    cells = [new_markdown_cell("# Every <widget>"), new_code_cell(EVERY_WIDGET)]
    notebook = new_notebook(cells=cells, metadata=NOTEBOOK_METADATA)
    write_notebook(root / "notebooks" / "every_widget.ipynb", notebook)
    build_site.build(find_notebooks(root, ("notebooks",)), root, folder / "every")
    return folder


@contextmanager
def opened(browser, path):
    """A page that gets nothing but files; it fails if it asks for more than MathJax, or errs."""
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    context.set_default_timeout(lab_in_browser.PAGE_SECONDS * 1000)
    context.route(lambda url: not url.startswith(("file:", "data:")), lambda route: route.abort())
    page, errors, requests = context.new_page(), [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    yield page
    elsewhere = [url for url in requests if not url.startswith(("file:", "data:"))]
    badge = "https://colab.research.google.com/assets/colab-badge.svg"
    assert [url for url in elsewhere if "mathjax" not in url.lower() and url != badge] == []
    assert errors == []
    context.close()


def touch(page, widget):
    """Choose the last radio button of each group, and see that the widget says so."""
    for group in widget.get_by_role("radiogroup").all():
        last = group.get_by_role("radio").last
        last.click()
        assert last.get_attribute("aria-checked") == "true"
    assert widget.get_by_role("status").first.inner_text()


def test_every_widget_lives_on_a_page(browser, site, screenshots):
    with opened(browser, site / "every" / "notebooks" / "every_widget.html") as page:
        widgets = page.locator(".jp-OutputArea-output .cw:not(.cw .cw)")
        assert widgets.count() == NUMBER_OF_WIDGETS
        for widget in widgets.all():
            touch(page, widget)
        assert "head 3, query '</script>'" in widgets.first.get_by_role("status").inner_text()
        assert page.get_by_label("sentence", exact=True).is_disabled()

        # The stored runs of the model lab: the last one was chosen above.
        lab = page.get_by_role("region", name="Model lab")
        assert lab.get_by_label("text", exact=True).is_disabled()
        for text, start, off in (
            ("the <b>bank without 1.0", "Without 1.0: ", ["layer 1, head 0"]),
            ("</script> the", "All heads on: ", []),
        ):
            lab.get_by_role("radio", name=text, exact=True).click()
            assert lab.get_by_role("status").inner_text().startswith(start)
            heads = lab.get_by_role("gridcell").evaluate_all("all => all.map(one => one.title)")
            assert [name.split(":")[0] for name in heads if name.endswith(", off")] == off
            shown = lab.locator(".cw-next tbody tr")
            assert sorted(shown.get_by_role("rowheader").all_inner_texts()) == sorted(TOKENS)
            assert shown.first.get_by_role("cell").count() == 2 + len(off)
        page.screenshot(path=screenshots / "site_every_widget.png", full_page=True)


def test_every_lesson_opens_from_the_index_and_its_widgets_live(browser, site, course):
    lessons = find_notebooks(course, ("notebooks",))
    with opened(browser, site / "lessons" / "index.html") as page:
        links = page.get_by_role("listitem").get_by_role("link")
        addresses = [link.get_attribute("href") for link in links.all()]
    names = [path.relative_to(course).with_suffix(".html").as_posix() for path in lessons]
    assert addresses == names
    for address, lesson in zip(addresses, lessons, strict=True):
        with opened(browser, site / "lessons" / address) as page:
            assert page.locator("h1").first.is_visible()
            source = lesson.read_text(encoding="utf-8")
            widgets = page.locator(".jp-OutputArea-output .cw:not(.cw .cw)")
            assert bool(widgets.count()) == ("course_lib.widgets" in source)
            for widget in widgets.all():
                touch(page, widget)
