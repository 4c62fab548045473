"""What the site's building does around Sphinx: widgets, policy, front page, publishing."""

import base64
import copy
import hashlib
import html
import re
from types import SimpleNamespace

import pytest
from myst_nb.sphinx_ import visit_HideCellInput
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_lib.figures.site_pages import LIVE_PAGE, LIVE_PAGES, WHOLE_FIGURE
from tools.notebooks.notebook_env import kernel_environment
from tools.notebooks.notebook_files import FOLDERS, ROOT
from tools.site import break_page, build_site, live_widgets
from tools.site.figure_code import FIGURE_CODE
from tools.site.formulas import Drawings
from tools.site.phone_figures import phone_pictures, with_phone_pictures
from tools.site.shell import SCRIPT, SCRIPTS, STYLE, STYLES
from tools.site.stamp_links import Project
from tools.site.syllabus import LESSONS

PAGE = "<html><head><title>x</title></head><body>{}</body></html>"


def test_the_policy_allows_the_page_and_its_own_scripts_only():
    page = PAGE.format('<script>let x = "<&";</script><script src="a.js"></script>')
    digest = base64.b64encode(hashlib.sha256(b'let x = "<&";').digest()).decode()
    rules = dict(rule.split(" ", 1) for rule in build_site.policy(page).split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == f"'self' 'sha256-{digest}'"
    assert "unsafe-eval" not in build_site.policy(page) and "http" not in build_site.policy(page)


def test_a_policy_is_written_once_and_first():
    page = build_site.with_policy(PAGE.format("<script>1</script>"))
    assert build_site.with_policy(page) == page
    assert page.index("Content-Security-Policy") < page.index("<title>")
    (content,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert html.unescape(content) == build_site.policy(page)
    other = build_site.with_policy(page.replace("<script>1<", "<script>2<"))
    assert other.count("Content-Security-Policy") == 1 and content not in other


def test_buttons_and_folds_of_the_theme_get_names(tmp_path):
    toggle = '<summary><span class="toctree-toggle" role="presentation">'
    fold = SimpleNamespace(body=[toggle])
    visit_HideCellInput(fold, {"classes": ["above-input"], "prompt_show": "", "prompt_hide": ""})
    page = build_site.finished(PAGE.format("".join(fold.body)), tmp_path, Drawings({}, {}))
    assert '<summary aria-label="Pages' in page
    assert f'<details class="folded-code"><summary>{FIGURE_CODE}</summary>' in page


def test_every_page_of_docs_stands_in_the_side_bar():
    pages = {f"docs/{path.stem}" for path in (ROOT / "docs").glob("*.md")}
    assert pages | {"docs/reference/index"} == {
        *build_site.TRY,
        *build_site.ABOUT,
        *build_site.LOOK_UP,
    }


def test_links_out_of_the_docs_lead_to_where_the_course_is():
    page = (
        "# Install\n\n[how](../CONTRIBUTING.md#add), [claims](claims.md), "
        "[one](../notebooks/02_single_head.ipynb) ![map](../docs/pictures/x.png)\n"
    )
    kept = "[claims](claims.md), [one](../notebooks/02_single_head.ipynb) ![map](../docs/"
    unknown, known = (
        build_site.page_of_docs(page, "install", Project(ROOT, address, "v1"))
        for address in ("https://github.com/OWNER/REPOSITORY", "https://github.com/me/course")
    )
    assert "OWNER" not in unknown and "no public address yet" in unknown
    assert f"\nhow, {kept}" in unknown
    assert "git clone https://github.com/me/course" in known
    assert f"[how](https://github.com/me/course/blob/colab-v1/CONTRIBUTING.md#add), {kept}" in known
    assert "git clone" not in build_site.page_of_docs(
        page, "speed", Project(ROOT, "https://x/y", "v1")
    )


def test_the_front_page_names_every_lesson():
    text = (ROOT / build_site.FRONT_PAGE).read_text(encoding="utf-8")
    pictures = {number: f"<img {number}>" for number in LESSONS}
    page = build_site.front_page(text, Project.read(ROOT), pictures)
    assert "{{" not in page
    for lesson in LESSONS.values():
        link = f'href="notebooks/{lesson.name}.html"'
        assert f"<a {link}>{lesson.number} {lesson.title}</a>" in page
        assert f'<a {link} tabindex="-1" aria-hidden="true"><img {lesson.number}></a>' in page
        short = "\N{NO-BREAK SPACE}◆" * (lesson.number in build_site.SHORT_WAY)
        assert f"{lesson.title}{short} <notebooks/{lesson.name}>\n" in page
    for _, _, numbers, _ in build_site.WAYS:
        assert set(numbers) <= set(LESSONS)
    assert page.count('id="course-widget-front"') == page.count('id="hero"') == 1


def test_publishing_keeps_what_is_there_and_removes_what_is_gone(tmp_path):
    made, pages, more, site = (tmp_path / name for name in ("made", "pages", "more", "site"))
    for path in (made / "a.html", made / "gone.html", made / "_static" / "x.css", more / "m.js"):
        build_site.write_if_changed(path, PAGE.format(""))
    for name in (*STYLES, *SCRIPTS, "scripts/fontawesome.js"):
        build_site.write_if_changed(made / "_static" / name.replace("*", "1"), "")
    build_site.write_if_changed(pages / "a.md", "# A")
    build_site.write_if_changed(site / "old.html", "")
    assert build_site.publish(made, pages, more, site) == 1
    names = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    search = {"_static/search.js", "_static/sections.js"}
    assert names == {"a.html", "_static/x.css", "_static/m.js", STYLE, SCRIPT, ".nojekyll"} | search
    assert "Content-Security-Policy" in (site / "a.html").read_text()
    before = (site / "a.html").stat().st_mtime_ns
    build_site.publish(made, pages, more, site)
    assert (site / "a.html").stat().st_mtime_ns == before


MASK_LAB = "from course_lib.widgets import MaskLab\nMaskLab(range(3))"


@pytest.fixture
def lesson(monkeypatch):
    """A notebook with a widget, and a run of it that is counted and not made."""
    data = {"text/plain": "MaskLab(3 tokens)", "text/html": "<div>still</div>"}
    still = new_output("execute_result", data, execution_count=1)
    notebook = new_notebook(cells=[new_code_cell(MASK_LAB, outputs=[still], id="lab")])
    runs = []

    def run(notebook, folder, root, **variables):
        assert variables == {LIVE_PAGES: "1"}
        runs.append(folder)
        notebook.cells[0].outputs[0].metadata[LIVE_PAGE] = f"live {len(runs)}"

    monkeypatch.setattr(live_widgets, "run_notebook", run)
    return notebook, runs


def test_a_lesson_runs_again_when_its_code_changes_and_not_when_its_text_does(lesson, tmp_path):
    notebook, runs = lesson

    def widgets(folder="notebooks"):
        path = tmp_path / folder / "99_topic.ipynb"
        return live_widgets.from_a_run(notebook, path, tmp_path)[LIVE_PAGE]

    assert widgets() == widgets() == {"lab": ["live 1"]}
    assert widgets("exercises") == {"lab": ["live 2"]} and len(runs) == 2
    assert widgets() == {"lab": ["live 1"]}  # what has the same name in another folder, stays
    notebook.cells[0].source += "  # another"
    assert widgets() == {"lab": ["live 3"]}
    assert len(list((tmp_path / live_widgets.KEPT).iterdir())) == 2


def test_a_solution_which_is_no_page_hands_nothing_over(monkeypatch):
    monkeypatch.setenv(LIVE_PAGES, "1")
    asked = [name for name in FOLDERS if LIVE_PAGES in kernel_environment(ROOT / name, ROOT)]
    assert asked == ["notebooks", "exercises"]


def test_live_widgets_take_the_place_of_stills(lesson):
    notebook, _ = lesson
    live_widgets.put_in(notebook, {"lab": ["<live>"]})
    assert notebook.cells[0].outputs[0].data == {"text/html": "<live>"}
    with pytest.raises(ValueError, match="stores 1 pictures and shows 2 widgets"):
        live_widgets.put_in(notebook, {"lab": ["<live>", "<live>"]})
    notebook.cells[0].outputs[0].data["text/plain"] = "ModelLab(30 layers)"
    live_widgets.put_in(notebook, {"lab": ["<live>"]})
    page = notebook.cells[0].outputs[0].data["text/html"]
    assert page.endswith("<live>") and break_page.HERE in page
    assert "wasm-unsafe-eval" in build_site.policy(page)


def png(width, height):
    """The beginning of a PNG, which says its size."""
    head = b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4, "big") + b"IHDR"
    return base64.b64encode(head + width.to_bytes(4, "big") + height.to_bytes(4, "big")).decode()


def figure_cell(picture, id):
    html = (
        "<style>\n.course-figure { height: auto; }\n</style>\n"
        f'<img class="course-figure" width="700" alt="a" src="data:image/png;base64,{picture}">'
    )
    return new_code_cell("", outputs=[new_output("display_data", {"text/html": html})], id=id)


def test_a_page_shows_the_figure_that_fits_it():
    wide, narrow = png(1400, 600), png(720, 900)
    notebook = new_notebook(cells=[figure_cell(wide, "plot"), new_markdown_cell("words")])
    pictures = phone_pictures(notebook, {"plot": [{"width": 360, "png": narrow}]})
    page = copy.deepcopy(notebook)
    ((path, content),) = with_phone_pictures(page, pictures, "../").items()
    assert content == base64.b64decode(narrow)
    html = page.cells[0].outputs[0].data["text/html"]
    source = f'srcset="../_static/{path.as_posix()}" width="360" height="450">'
    assert f'<picture><source media="(max-width: 600px)" {source}<img class="course-fig' in html
    assert html.endswith(f'base64,{wide}"></picture>')
    assert "picture" not in notebook.cells[0].outputs[0].data["text/html"]
    with pytest.raises(ValueError, match="cell plot stores 1 figures and draws 0"):
        phone_pictures(notebook, {})


def test_a_lesson_with_figures_alone_runs_up_to_the_last_of_them(monkeypatch, tmp_path):
    cells = [new_code_cell("1"), figure_cell(png(2, 2), "plot"), new_code_cell("2")]
    ran = []

    def run(notebook, folder, root, **variables):
        ran.extend(cell.id for cell in notebook.cells)
        notebook.cells[1].outputs[0].metadata["text/html"] = {WHOLE_FIGURE: {"width": 1}}

    monkeypatch.setattr(live_widgets, "run_notebook", run)
    notebook, path = new_notebook(cells=cells), tmp_path / "99_topic.ipynb"
    handed = live_widgets.from_a_run(notebook, path, tmp_path)
    assert handed == {LIVE_PAGE: {}, WHOLE_FIGURE: {"plot": [{"width": 1}]}}
    assert ran == [cells[0].id, "plot"]
