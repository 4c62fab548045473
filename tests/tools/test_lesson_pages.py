"""What a page of the site shows of a notebook: nothing is lost, and no answer stands open."""

import re
from html import escape

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from course_lib.figures.colours import ROLES
from tools.notebooks.minutes import PREDICTION
from tools.notebooks.notebook_files import ROOT, cell_tags, find_notebooks, read_notebook
from tools.notebooks.stored_figures import FIGURE, stored_png
from tools.site.figure_code import FOLDED, drawing_cells
from tools.site.lesson_pages import (
    BEGIN_ANCHOR,
    CLOSE,
    CLOSE_FOLD,
    ON_THE_SITE,
    OPEN,
    OPEN_AGAIN,
    OPEN_FOLD,
    chunks,
    describe_pictures,
    fold_again,
    fold_answers,
    fold_code,
    for_readers,
    links_of,
    name_roles,
    opening_picture,
    page_of,
    split_cells,
    what_comes_next,
)
from tools.site.long_lines import WIDE, printed
from tools.site.stamp_links import Project
from tools.site.syllabus import LESSONS as SYLLABUS

LESSONS = find_notebooks(ROOT, ("notebooks",))
NOTEBOOKS = find_notebooks(ROOT, ("notebooks", "exercises"))
HERE = Project.read(ROOT)
PUBLISHED = Project(ROOT, "https://github.com/somebody/attention", "v1.2.3")


def page(path, project=HERE):
    return page_of(read_notebook(path), path, project)


def texts(cells):
    return [cell.source for cell in cells]


def folded(*sources):
    """Fold cells; what begins with "code" is code."""
    kinds = {True: new_code_cell, False: new_markdown_cell}
    cells = [kinds[source.startswith("code")](source) for source in sources]
    return texts(fold_answers(list(split_cells(cells))))


@pytest.mark.parametrize(
    "source, parts",
    [
        ("One paragraph.", ["One paragraph."]),
        ("# Title\n\nText.", ["# Title\n\nText."]),
        ("Answer.\n\nLeads on.", ["Answer.", "Leads on."]),
        ("Answer.\n\n- a list", ["Answer.\n\n- a list"]),
        ("Answer.\n\n$$x$$", ["Answer.\n\n$$x$$"]),
        ("```\n# no heading\n\nno paragraph\n```", ["```\n# no heading\n\nno paragraph\n```"]),
        ("Before.\n> **Predict.** What?", ["Before.", "> **Predict.** What?"]),
        ("> **Predict.** What?\n> Go on.\n\nText.", ["> **Predict.** What?\n> Go on.", "Text."]),
        ("Text.\n## Next\nMore.", ["Text.", "## Next\nMore."]),
    ],
)
def test_text_is_split_where_a_fold_may_end(source, parts):
    assert list(chunks(source)) == parts


def test_code_and_answer_are_folded_and_what_leads_on_is_not():
    predict = "> **Predict.** How many?"
    assert folded("Before.", predict, "code 1", "code 2", "Three.\n\nNow another.", "code 3") == [
        *("Before.", predict, OPEN, "code 1", "code 2", "Three.", CLOSE, "Now another.", "code 3")
    ]


def test_the_next_prediction_and_a_heading_end_a_fold():
    first, second = "> **Predict.** One?", "> **Predict.** Two?"
    assert folded(first, "code 1", second, "code 2", "## Next", "code 3") == [
        *(first, OPEN, "code 1", CLOSE, second, OPEN, "code 2", CLOSE, "## Next", "code 3")
    ]
    assert folded(first, "code 1", "Answer.\n\nSee.", "## Next") == [
        *(first, OPEN, "code 1", "Answer.", "See.", CLOSE, "## Next")
    ]
    assert folded(first, "code 1") == [first, OPEN, "code 1", CLOSE]
    assert folded(first, "## Next") == [first, "## Next"]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_each_prediction_of_a_lesson_has_one_fold_and_each_fold_code_or_text(path):
    cells = page(path).cells
    told = [cell.source for cell in read_notebook(path).cells if cell.cell_type == "markdown"]
    predictions = sum(len(PREDICTION.findall(text)) for text in told)
    sources = texts(cells)
    assert sources.count(OPEN) == sources.count(CLOSE) == predictions
    for start in (i for i, source in enumerate(sources) if source == OPEN):
        end = sources.index(CLOSE, start)
        assert PREDICTION.match(sources[start - 1])
        assert end > start + 1
        assert not any(re.match("#+ ", source) for source in sources[start:end] if source)
        assert any(source.strip() for source in sources[start + 1 : end] if source)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_nothing_but_the_set_up_cell_and_the_badges_is_lost(path):
    stored = read_notebook(path)
    shown = page(path)
    ids = [cell.id for cell in shown.cells]
    assert len(set(ids)) == len(ids)
    said = [cell for cell in stored.cells if cell.source and "setup" not in cell_tags(cell)]
    assert {cell.id for cell in said} <= set(ids)
    codes = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert texts(cell for cell in shown.cells if cell.cell_type == "code") == texts(codes[1:])

    def words(cells):
        text = " ".join(for_readers(cell.source) for cell in cells if cell.cell_type == "markdown")
        text = text.replace("#cell-id=", "#")  # JupyterLab's name for a cell's place
        text = re.sub(r"</?(span|div|details|br)[^>]*>|\\(color|class)\{[^}]*\}", "", text)
        return [word for word in text.split() if "badge" not in word and "colab" not in word]

    kept = words(shown.cells[1:])
    assert [word for word in words(stored.cells[2:]) if word not in set(kept)] == []
    assert stored == read_notebook(path)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_each_picture_says_what_to_see(path):
    for cell in page(path).cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            assert "image/png" not in data, "the lesson calls use_course_style()"
            if stored_png(output) is not None:
                said = FIGURE.fullmatch(data["text/html"])[1]
                assert len(said) > 40 and "**" not in said and not said.startswith("Figure: ")


def test_a_picture_that_nobody_explains_is_refused():
    picture = new_output("display_data", {"image/png": "iVBORw0="})
    explained = new_markdown_cell("Text.\n\n**What to see.** A `map`, $d_k$ wide.\n\nMore.")
    cells = [new_code_cell("plot()", outputs=[picture]), explained]
    describe_pictures(cells)
    assert cells[0].metadata["mystnb"] == {"image": {"alt": "A map, d_k wide."}}
    with pytest.raises(ValueError, match="no ..What to see"):
        describe_pictures([*cells, new_code_cell("plot()", outputs=[picture])])
    html = (
        "<style>\n.course-figure { height: auto; }\n</style>\n"
        '<img class="course-figure" width="9" alt="{}" src="data:image/png;base64,iVBORw0=">'
    )
    said_of = {"Figure": "", "Figure: &quot;it&quot; looks back": "&quot;it&quot; looks back. "}
    for stored, said in said_of.items():
        output = new_output("display_data", {"text/html": html.replace("{}", stored)})
        styled = new_code_cell("plot()", outputs=[output])
        describe_pictures([styled, explained])
        assert f'width="9" alt="{said}A map, d_k wide." src' in output.data["text/html"]
    with pytest.raises(ValueError, match="no ..What to see"):
        describe_pictures([styled])


def test_what_is_printed_fits_a_phone_in_letters_of_10_pixels_or_is_broken():
    cells = [cell for path in NOTEBOOKS for cell in read_notebook(path).cells]
    prints = [output.get("text", "") for cell in cells for output in cell.get("outputs", [])]
    shown = [printed("<pre", escape(text)) for text in prints]
    smaller = re.compile(r"<pre style=.* / ([\d.]+), .*>")
    widths = [float(found[1]) for one in shown if (found := smaller.match(one))]
    assert len(widths) > 20 and max(widths) <= 0.602 * WIDE + 0.05
    assert min(sum(what in one for one in shown) for what in ('class="prose"', 'class="long"')) > 9


@pytest.mark.parametrize("role", ROLES)
def test_words_and_formulas_of_a_role_have_its_class(role):
    colour = ROLES[role]
    source = f'<span style="color:{colour}">word</span> $\\color{{{colour}}}{{Q}}$'
    named = f'<span class="role-{role}">word</span> $\\class{{role-{role}}}{{Q}}$'
    assert name_roles(source) == named


def test_colab_and_download_are_shown_where_the_course_knows_its_address():
    lesson = ROOT / "notebooks" / "02_single_head.ipynb"
    exercise = ROOT / "exercises" / "02_single_head" / "02_single_head.ipynb"
    unknown = Project(ROOT, "https://github.com/OWNER/REPOSITORY", "v1.2.3")
    for path in (lesson, exercise):
        assert "colab" not in links_of(path, unknown) and "download" not in links_of(path, unknown)
        links = links_of(path, PUBLISHED)
        inside = path.relative_to(ROOT).as_posix()
        assert f"github/somebody/attention/blob/colab-v1.2.3/{inside}" in links
        assert f"_static/notebooks/{inside}" in links
    assert links_of(lesson, unknown) == ""  # exercises come at the end
    assert "../../notebooks/02_single_head.html" in links_of(exercise, unknown)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: "/".join(path.parts[-2:]))
def test_a_page_tells_nobody_to_run_what_has_been_run(path):
    said = "\n".join(cell.source for cell in page(path).cells if cell.cell_type == "markdown")
    assert not re.search(r"Shift\+Enter|Run All|JupyterLab, run|set-up cell", said)
    if path in LESSONS:  # an exercise is there to be run, elsewhere
        assert not re.search(r"[Rr]un the cell|you run (it|its cell)|`exercises/", said)


def test_each_sentence_that_the_site_changes_is_in_a_lesson():
    said = [cell.source for path in LESSONS for cell in read_notebook(path).cells]
    assert [words for words in ON_THE_SITE if not any(words in text for text in said)] == []


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_opens_with_a_question_its_minutes_a_picture_and_a_button(path):
    cells = page(path).cells
    title, _, screen = cells[0].source.partition("\n\n")
    screen = screen.partition("\n")[0]
    assert title.startswith("# ") and "\n" not in title
    question = re.search(r'class="question">(.*?)</p>', screen)[1]
    assert question == escape(SYLLABUS[path.stem[:2]].question) and question.endswith("?")
    when = re.search(r'class="minutes">(About \d+ minutes.*?)</p>', screen)[1]
    assert "](" not in when
    assert {*re.findall(r'<a href="#(.*?)">', when)} <= {cell.id for cell in cells}
    assert '<a class="course-button" href="#begin">Begin</a>' in screen
    picture = r'<p class="to-see">[A-Z][^<]{30,120}\.</p><img class="course-(?:drawing|figure)"'
    assert len(re.findall(picture, screen)) == screen.count("<img ") == 1
    assert "About " not in cells[0].source.partition(screen)[2].partition("**By the end")[0]
    assert cells[texts(cells).index(BEGIN_ANCHOR) + 1].source.startswith("## ")


def shows(kind, after="", before=""):
    html = f'{before}<img class="course-{kind}" src="x">{after}'
    return new_code_cell("x", outputs=[new_output("display_data", {"text/html": html})])


def test_the_picture_of_the_first_screen_is_folded_where_it_comes_next():
    drawing, figure = shows("drawing"), shows("figure")
    picture = opening_picture([drawing])
    for cells, expected in (
        ([drawing, figure], [OPEN_AGAIN, "x", CLOSE_FOLD, "x"]),
        ([figure, drawing], ["x", "x"]),
        ([new_markdown_cell(OPEN), drawing, new_markdown_cell(CLOSE)], [OPEN, "x", CLOSE]),
    ):
        assert fold_again(cells, picture) == picture
        assert texts(cells) == expected


def test_a_live_drawing_comes_to_life_where_the_page_opens():
    still = opening_picture([shows("drawing")])
    live = shows("drawing", "</div><script></script>", '<style></style><div id="course-widget-3">')
    cells = [live]
    assert fold_again(cells, still) == f'<div class="live" id="course-widget-3">{still}</div>'
    kept = f"<style></style><div>{still}</div><script></script>"
    assert texts(cells) == [OPEN_AGAIN, "x", CLOSE_FOLD]
    assert live.outputs[0].data["text/html"] == kept


def test_a_lesson_opens_with_no_picture_that_a_prediction_hides():
    hidden, figure, drawing = shows("drawing"), shows("figure"), shows("drawing")
    folded_away = [new_markdown_cell(OPEN), hidden, new_markdown_cell(CLOSE)]
    assert "figure" in opening_picture([*folded_away, figure])
    assert "drawing" in opening_picture([*folded_away, figure, drawing])
    assert "drawing" in opening_picture(folded_away)
    assert opening_picture([]) == ""


def test_imports_are_folded_and_long_runs_behind_a_table_and_what_shows_something_is_not():
    imports = new_code_cell("import torch\nimport math")
    more = new_code_cell("import re\nx = 1\nimport os")
    work, magic = new_code_cell("import torch\nx = 1"), new_code_cell("%matplotlib inline")
    shown = new_code_cell("import torch", outputs=[new_output("stream", text="x")])
    made = [new_code_cell("x", metadata={"tags": ["recorded-y"]})] * 4
    deeper, fold = new_markdown_cell("## Deeper"), OPEN_FOLD.format
    cells = [*made, imports, more, work, magic, shown, deeper, *made, deeper, *made[1:]]
    assert texts(fold_code(cells)) == [
        *(*"xxxx", fold("What this lesson imports"), imports.source, more.source),
        *(CLOSE_FOLD, work.source, magic.source, shown.source, deeper.source),
        *(fold("The code that made the table"), *"xxxx", CLOSE_FOLD, deeper.source, *"xxx"),
    ]


PLOT = "ax = plt.axes()\nn = 3\nfor i in range(n):\n    ax.plot(i)"


@pytest.mark.parametrize(
    "source, later, is_folded",
    [
        (PLOT, "n = 4\nprint(n)", True),  # another n
        (PLOT, "print(n)", False),
        (PLOT, "n += 1", False),
        (PLOT, "def later(n=n):\n    pass", False),
        (PLOT, "def later():\n    return [n for i in (1, 2)]", False),
        (f"{PLOT}\nother = n\nmore = n\nmost = n", "", False),  # it computes more than it draws
        (f"{PLOT}\nplt.plot(softmax(x @ x.T))", "", False),  # what is taught
        ("head_grid(maps)", "", True),
        ("print(maps)", "", False),
    ],
)
def test_code_is_folded_that_draws_and_does_nothing_else(source, later, is_folded):
    drawn, after = shows("figure"), shows("figure")
    drawn.source, drawn.id = source, "drawn"
    after.source, after.id = "head_grid(n)", "after"  # which is folded too: it may read n
    tools = "import matplotlib.pyplot as plt\nfrom course_lib.figures import head_grid"
    cells = [new_code_cell(tools), drawn, new_code_cell(later), after]
    assert drawing_cells(cells) == ({"drawn", "after"} if is_folded else {"after"})
    drawn.outputs = []
    assert drawing_cells(cells) == {"after"}


def test_a_lesson_keeps_code_open_that_is_taught_or_stands_in_a_fold_with_its_figure():
    tagged = {cell.id: cell_tags(cell) for cell in page(LESSONS[1]).cells}
    assert [tagged[name] for name in ("cell-24", "cell-35", "ad279778")] == [[FOLDED], [], []]


def test_the_end_of_a_page_leads_on():
    def end(inside):
        path = ROOT / inside
        last = texts(page(path).cells)[-1]
        assert last == what_comes_next(path, HERE)
        return last

    first = end("notebooks/00_start_here.ipynb")
    assert 'href="../notebooks/01_soft_lookup.html"' in first and "exercises" not in first
    lesson = end("notebooks/02_single_head.ipynb")
    assert 'href="../exercises/02_single_head/02_single_head.html"' in lesson
    assert 'href="../notebooks/03_many_heads.html">Lesson 03: Many heads</a>' in lesson
    exercise = end("exercises/02_single_head/02_single_head.ipynb")
    assert 'href="../../notebooks/03_many_heads.html"' in exercise
    assert "exercises/" not in exercise
    last = end("notebooks/17_serving.ipynb")
    assert "Lesson" not in last and 'href="../index.html"' in last


def test_an_exercise_says_where_answers_are_written():
    exercise = ROOT / "exercises" / "02_single_head" / "02_single_head.ipynb"
    assert 'href="../../docs/install.html"' in texts(page(exercise).cells)[0]


def test_a_lesson_puts_its_exercises_below_it():
    assert (
        "Exercises 02 <../exercises/02_single_head/02_single_head>"
        in texts(page(ROOT / "notebooks" / "02_single_head.ipynb").cells)[0]
    )
    assert "toctree" not in texts(page(ROOT / "notebooks" / "00_start_here.ipynb").cells)[0]
