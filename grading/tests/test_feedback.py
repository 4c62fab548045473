"""The page that a student gets back: it runs nothing, loads nothing, and says what is what."""

import re

import pytest
from hostile import DISPLAYS, LOAD, RUN
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from conftest import happenings, stored
from course_checks.notebook.lacking import Failed, names_not_there
from course_checks.notebook.mistakes import OURS
from grading import feedback
from grading.execute import read_points
from grading.feedback import clean_html, exercise_names, feedback_page, plain_page
from grading.results import Result
from grading.tables import harmless

HOSTILE_TEXT = [
    f"<script>{RUN}</script><img src=x onerror={RUN}>",
    f"[x](javascript:{RUN}) ![x]({LOAD})",
    f"`</code><script>{RUN}</script>`",
    f"```html\n</pre><script>{RUN}</script>\n```",
    f"$</p><script>{RUN}</script>$",
]


def result(**changes):
    about = {"student": "anna", "assignment": "02_single_head", "key": "", "seed": 1}
    about |= {"points": {"check_a": [2.0, 4.0], "check_b": [6.0, 6.0]}, "review": []}
    about |= {"sandbox": True, "seconds": 1.0, "cpu_seconds": 1.0}
    return Result(**(about | changes))


def hostile_notebook():
    cells = [new_markdown_cell(text) for text in HOSTILE_TEXT]
    for data, metadata in DISPLAYS:
        shown = new_output("display_data", data=data, metadata=metadata)
        cells.append(new_code_cell(f"'</pre><script>{RUN}</script>'", outputs=[shown]))
    text = f"</pre><script>{RUN}</script>"
    cells.append(
        new_code_cell(
            "x",
            outputs=[
                new_output("stream", name="stdout", text=text),
                new_output("error", ename=text, evalue=text, traceback=[text]),
            ],
        )
    )
    return new_notebook(cells=cells)


def opened(browser, path, page):
    path.write_text(page, encoding="utf-8")
    return happenings(browser, path)


def test_the_cleaning_alone_is_enough(browser, tmp_path):
    page = feedback_page(hostile_notebook(), result(), {}, [])
    without = re.sub(r"<meta[^>]*Content-Security-Policy[^>]*>", "", page)
    assert without != page
    assert opened(browser, tmp_path / "page.html", without) == []


def test_the_policy_alone_is_enough(browser, tmp_path, monkeypatch):
    """And without either, the same page does run and load: the browser's count counts."""
    monkeypatch.setattr(feedback, "clean_html", lambda text: text)
    monkeypatch.setattr(feedback, "_make_harmless", lambda output: None)
    page = feedback_page(hostile_notebook(), result(), {}, [])
    # The policy has no say about a page that it leaves for another one.
    page = page.replace("http-equiv=refresh", "").replace('http-equiv="refresh"', "")
    without = re.sub(r"<meta[^>]*Content-Security-Policy[^>]*>", "", page)
    found = opened(browser, tmp_path / "without.html", without)
    assert any(thing.startswith("script") for thing in found)
    assert any(thing.startswith("request https") for thing in found)
    assert opened(browser, tmp_path / "page.html", page) == []


@pytest.mark.parametrize(
    ("style", "kept"),
    [
        ("color: red", "color: red;"),
        ("background:rgba(7,1,2,0.25);gap:1em", "background:rgba(7,1,2,0.25);gap:1em;"),
        ("background:url(x)", ""),
        ("background:URL('x')", ""),
        ("background:u\\72l(x)", ""),
        ("list-style:url(x);color:blue", "color:blue;"),
        ("background:rgb(url(x))", ""),
        ("position:fixed;margin:-9px", ""),
        ("background:attr(x);background:env(x);background:var(--x)", ""),
    ],
)
def test_styles_name_no_address(style, kept):
    cleaned = clean_html(f'<p style="{style}">x</p>')
    found = re.search(r'style="([^"]*)"', cleaned)
    assert (found[1].replace(" ", "") if found else "") == kept.replace(" ", "")


def test_the_table_of_a_check_looks_as_in_the_notebook():
    """Everything that the checks themselves write is kept."""
    import course_checks as checks

    shown = checks.scaled_scores(lambda query, key: query @ key.mT, seed=1)._repr_html_()
    cleaned = clean_html(shown)
    for wanted in ("border-left:4px solid", "display:flex", "gap:1.5em", "background:rgba("):
        assert wanted in shown and wanted in cleaned
    assert re.sub(r"<[^>]*>", "", cleaned) == re.sub(r"<[^>]*>", "", shown)


def test_the_page_names_its_exercises_and_holds_no_raw_html():
    release = stored("exercises")
    names = exercise_names(release)
    assert names["check_scaled_scores"] == "Exercise 2 · The scale"
    assert len(set(names.values())) == len(names) == 6
    points = {grade_id: [1.0, 4.0] for grade_id in names}
    page = feedback_page(release, result(points=points), names, ["a note & more"])
    text = re.sub(r"<[^>]*>", "", page.split("</head>")[1])
    for name in names.values():
        assert text.count(name) >= 2  # in the list, and above its check
    assert "1 of 4" in text and "Score: 6" in text and "a note &amp; more" in text
    assert "&lt;img" not in text and "colab-badge" not in page
    assert "Test cell" not in text and "Comments:" not in text
    assert "Exercises 02" in text


def test_less_than_signs_in_markdown_survive():
    notebook = new_notebook(cells=[new_markdown_cell("a < b, `x < y & z`\n\n    c < d")])
    page = feedback_page(notebook, result(), {}, [])
    text = re.sub(r"<[^>]*>", "", page.split("</header>")[1])
    assert "a &lt; b" in text and "x &lt; y &amp; z" in text and "c &lt; d" in text
    assert "&amp;lt;" not in text


def test_the_page_without_cells_has_the_points():
    anna = result(student="Anna O'Neill_700002")
    page = plain_page(anna, {"check_a": "The <first>"}, ["it could not be shown"])
    assert ", Anna O'Neill<" in page
    assert "The &lt;first&gt;" in page and "2 of 4" in page and "it could not be shown" in page


@pytest.mark.parametrize("kind", ["image/png", "text/html"])
def test_a_picture_is_shown(browser, tmp_path, kind):
    png = (
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
        "rkJggg=="
    )
    html = (
        "<style>\n.course-figure { height: auto; }\n</style>\n"
        f'<img class="course-figure" width="1" alt="a map" src="data:image/png;base64,{png}">'
    )
    content = html if kind == "text/html" else png + "\n"
    shown = new_output("display_data", data={kind: content, "text/plain": "<Figure>"})
    page = feedback_page(
        new_notebook(cells=[new_code_cell("x", outputs=[shown])]), result(), {}, []
    )
    path = tmp_path / "page.html"
    path.write_text(page)
    view = browser.new_page()
    view.goto(path.as_uri())
    assert view.evaluate("document.images.length") == 1
    assert view.evaluate("document.images[0].naturalWidth") == 1
    # The style sheet is the one that the policy names.
    assert view.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") != "none"
    view.close()


def test_a_spreadsheet_sees_no_formula():
    assert harmless("=1+1") == "'=1+1" and harmless("anna") == "anna"
    assert harmless("-1+1") == "'-1+1" and harmless("-") == "-"


def test_a_syntax_error_is_called_one_wherever_the_answer_is_missing():
    """IPython names a file of its own for the cell, and the cells behind miss the function."""
    problem = stop("SyntaxError", "expected ':' (1538377755.py, line 3)")
    answer = new_code_cell("import math\n\ndef f(x)\n    return x", outputs=[problem])
    answer.metadata["nbgrader"] = {"solution": True, "grade": False, "grade_id": "f"}
    missing = stop("NameError", "name 'f' is not defined")
    check = new_code_cell("checks.scaled_scores(f)", outputs=[missing])
    check.metadata["nbgrader"] = {"solution": False, "grade": True, "grade_id": "check_f"}
    use = new_code_cell("f(1)", outputs=[missing])
    other = new_code_cell("g(1)", outputs=[stop("NameError", "name 'g' is not defined")])
    notebook = new_notebook(cells=[answer, check, use, other])
    read_points(notebook)
    page = feedback_page(notebook, result(), {}, [])
    assert "the cell of your answer has a syntax error in line 3: expected" in page
    assert "the cell of f has a syntax error in line 3: expected" in page
    assert "name &#39;f&#39;" not in page and "name 'f'" not in page
    assert [cell.outputs[0].ename for cell in (use, other)] == [OURS, "NameError"]
    assert "f, asked for in cell 2, stands in cell 1, which" in names_not_there(notebook, [])[0]
    offline = Failed(4, "OSError: no network", frozenset({"model"}))
    failed = [offline, Failed(4, "NameError: name 'model' is not defined", frozenset({"f"}))]
    (told,) = names_not_there(notebook, failed)
    assert told.endswith("is not there, since cell 4 stopped: OSError: no network")
    answer.outputs = [stop("ValueError", "no (a, line 3)")]
    check.outputs = [missing]
    read_points(notebook)
    assert "stopped with ValueError: no (a, line 3)" in check.outputs[0].evalue
    check.outputs = []
    assert read_points(notebook) == ["check_f: the check cell shows no points"]


def test_a_student_is_not_told_what_a_teacher_has_to_do_or_to_look_at():
    reasons = ["could not be graded: a.pdf: it is empty: ask for the notebook (.ipynb) again"]
    reasons += ["could not be graded: it stumbled (E): look at the notebook and grade it by hand"]
    reasons += ["tampering suspected: x", "alike: shares with ben", "set aside: 3", "stopped: y"]
    assert result(review=reasons).told == [
        "could not be graded: a.pdf: it is empty",
        "could not be graded: it stumbled (E)",
        "stopped: y",
        "hand in 02_single_head.ipynb itself, with your answers and saved",
    ]


def stop(name, text):
    return new_output("error", ename=name, evalue=text, traceback=[f"{name}: {text}"])
