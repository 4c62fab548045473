"""Every notebook keeps every rule of the contract, and each rule notices when it is broken."""

import copy
import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.notebooks import notebook_contract as contract
from tools.notebooks.notebook_contract import EXERCISE_RULES, RULES, Subject
from tools.notebooks.notebook_files import EXECUTED_FOLDERS, NOTEBOOK_METADATA, ROOT, find_notebooks
from tools.site.stamp_links import Project

PROJECT = Project.read(ROOT)
RULES_OF = {
    path: rules
    for folders, rules in ((EXECUTED_FOLDERS, RULES), (("exercises",), EXERCISE_RULES))
    for path in find_notebooks(ROOT, folders)
}


def case_name(value):
    return value.__name__ if callable(value) else value.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", RULES_OF, ids=case_name)
def test_notebook_keeps_every_rule(path):
    subject = Subject(path, PROJECT)
    broken = {rule.__name__: list(rule(subject)) for rule in RULES_OF[path]}
    assert {name: messages for name, messages in broken.items() if messages} == {}


def stream(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def image():
    return new_output("display_data", data={"image/png": "iVBORw0KGgo=", "text/plain": "<Figure>"})


def code(source, *outputs, **metadata):
    return new_code_cell(source, outputs=list(outputs), metadata=metadata)


def check_metadata(**changes):
    return {"grade": True, "solution": False, "points": 4, "grade_id": "x", **changes}


def good_notebook(path):
    """A notebook that keeps every rule for executed notebooks."""
    points = new_output("execute_result", data={"text/plain": "4.0"}, execution_count=1)
    cells = [
        new_markdown_cell(f"# Title\n\n{PROJECT.links_line(path)}\n\n## 1. First\n\nText."),
        code(PROJECT.setup_cell(), tags=["setup"]),
        code("x = 1\nprint(x)  # one; two;", stream("1\n"), tags=["within-0.05"]),
        code("draw(x)", image()),
        new_markdown_cell(
            "**What to see.** A line that rises.\n\n"
            + '<span style="color:#0072b2">Queries</span> ' * 10
            + "word " * 80
        ),
        code("checks.softmax(softmax)", points, nbgrader=check_metadata()),
        code("def long():\n" + "    x = 1\n" * 30, nbgrader={"solution": True}),
        code("%matplotlib inline\n\n# a comment\n" + "x = 1\n" * 14),
    ]
    counts = (cell for cell in cells if cell.cell_type == "code")
    for count, cell in enumerate(counts, start=1):
        cell.execution_count = count
    return new_notebook(cells=cells, metadata=copy.deepcopy(NOTEBOOK_METADATA))


@pytest.fixture
def path():
    """Where the good notebook would lie: the links depend on it."""
    return ROOT / "notebooks" / "99_example.ipynb"


def messages(rule, notebook, path, tmp_path):
    """Apply the rule to the notebook as if it lay at `path`."""
    file = tmp_path / "notebooks" / path.name
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(notebook), encoding="utf-8")
    return list(rule(Subject(file, Project(tmp_path, PROJECT.address, PROJECT.tag))))


@pytest.mark.parametrize("rule", RULES, ids=case_name)
def test_good_notebook_keeps_every_rule(rule, path, tmp_path):
    assert messages(rule, good_notebook(path), path, tmp_path) == []


def append(cell):
    return lambda notebook: notebook.cells.append(cell)


def set_source(index, source):
    return lambda notebook: notebook.cells[index].update(source=source)


def set_tags(index, *tags):
    return lambda notebook: notebook.cells[index].metadata.update(tags=list(tags))


def set_outputs(index, *outputs):
    return lambda notebook: notebook.cells[index].update(outputs=list(outputs))


def repeat_id(notebook):
    notebook.cells[2].id = notebook.cells[3].id


def drop_id(notebook):
    del notebook.cells[2]["id"]


def set_metadata(**metadata):
    return lambda notebook: notebook.metadata.update(metadata)


def other_address(notebook):
    first = notebook.cells[0]
    first.source = first.source.replace("research.google.com/", "research.google.com/else/")


def ignore_three(notebook):
    for index in (2, 3, 6):
        set_tags(index, "nbval-ignore-output")(notebook)


WIDGET = {"application/vnd.jupyter.widget-view+json": {"model_id": "1f"}, "text/plain": "Slider()"}
HALF = new_output("display_data", data={"text/plain": "3.5"})
SECRET = "ghp_" + "a1" * 18
BREAKERS = [
    (contract.valid_format, lambda notebook: notebook.update(nbformat_minor=4)),
    (contract.valid_format, lambda notebook: notebook.cells[2].update(outputs=[{"x": 1}])),
    (contract.unique_cell_ids, repeat_id),
    (contract.unique_cell_ids, drop_id),
    (contract.size_limit, append(new_markdown_cell("x" * 1_000_000))),
    (contract.no_empty_code_cell, append(code("\n"))),
    (contract.counts_in_order, lambda notebook: notebook.cells[3].update(execution_count=7)),
    (contract.counts_in_order, append(code("x"))),
    (contract.sections_in_order, append(new_markdown_cell("## 3. Third"))),
    (contract.folds_in_html, set_source(4, "<details><summary>x</summary>`x`</details>")),
    (contract.folds_in_html, set_source(4, "<details><summary>*x*</summary></details>")),
    (contract.sections_in_order, append(new_markdown_cell("## 1. First again"))),
    (contract.names_mean_one_thing, append(code("long = 3"))),
    (contract.names_mean_one_thing, append(code("for long in range(3):\n    pass"))),
    (contract.names_mean_one_thing, append(code("def long():\n    return 3"))),
    (contract.hooks_end, append(code("hook = layer.register_forward_hook(keep)"))),
    (contract.hooks_end, append(code("[layer.register_forward_pre_hook(keep) for layer in all]"))),
    (contract.no_outputs, lambda notebook: None),
    (contract.no_error_or_stderr, append(code("x", stream("careful", "stderr")))),
    (contract.no_error_or_stderr, set_outputs(2, new_output("error", ename="E", evalue="e"))),
    (contract.nothing_private, set_source(2, "open('/home/ada/data.csv')")),
    (contract.nothing_private, append(new_markdown_cell(r"see C:\Users\ada"))),
    (contract.nothing_private, set_outputs(2, stream("File /tmp/x.py, line 1\n"))),
    (contract.nothing_private, set_source(2, f"login('{SECRET}')")),
    (contract.nothing_private, set_outputs(2, stream(SECRET))),
    (contract.nothing_private, set_source(2, "password = 'correct horse'")),
    (contract.no_volatile_metadata, set_metadata(widgets={})),
    (contract.no_volatile_metadata, set_metadata(kernelspec={"name": "julia"})),
    (contract.no_volatile_metadata, set_metadata(language_info={"version": "3.11.7"})),
    (contract.no_volatile_metadata, append(code("x", execution={"iopub.status.busy": "2026"}))),
    (contract.no_volatile_metadata, append(code("x", new_output("display_data", data=WIDGET)))),
    (contract.no_trailing_semicolon, set_source(2, "plot(x);")),
    (contract.no_trailing_semicolon, set_source(2, "plot(x);  # quiet\ny = 1")),
    (contract.no_unstable_code, set_source(2, "!pip install something")),
    (contract.no_unstable_code, set_source(2, "widgets.Output()")),
    (contract.no_unstable_code, set_source(2, "interact(draw, x=3)")),
    (contract.no_unchecked_cell, set_tags(2, "nbval-skip")),
    (contract.no_unchecked_cell, set_tags(5, "raises-exception")),
    (contract.no_unchecked_cell, set_tags(5, "nbval-ignore-output")),
    (contract.no_unchecked_cell, set_source(2, "# NBVAL_IGNORE_OUTPUT\nprint(x)")),
    (contract.well_formed_tolerances, set_tags(2, "within-0")),
    (contract.well_formed_tolerances, set_tags(2, "within-x")),
    (contract.well_formed_tolerances, set_tags(2, "within-1", "within-2")),
    (contract.well_formed_tolerances, set_tags(2, "within-1", "nbval-ignore-output")),
    (contract.well_formed_tolerances, set_tags(3, "within-1")),  # a picture
    (contract.well_formed_tolerances, set_tags(4, "within-1")),  # markdown
    (contract.well_formed_tolerances, set_tags(5, "within-1")),  # a check
    (contract.short_code_cells, set_source(2, "x = 1\n" * 16)),
    (contract.short_code_cells, set_source(2, "x = [\n" + "    1,\n" * 14 + "]")),
    (contract.images_explained, set_source(4, "A line that rises.")),
    (contract.images_explained, set_source(4, "**What to see.**")),
    (contract.short_paragraphs, set_source(4, "word " * 91)),
    (contract.short_paragraphs, set_source(4, "- one\n- " + "word " * 91)),
    (contract.short_paragraphs, set_source(4, "**What to see.** " + "word " * 58)),
    (contract.colours_of_roles, set_source(4, '<span style="color:#ff0000">query</span>')),
    (contract.colours_of_roles, set_source(4, '<span style="color:#0072b2">key</span>')),
    (contract.first_cell_and_links, other_address),
    (contract.first_cell_and_links, set_source(0, "# Title\n\nNo links.")),
    (contract.first_cell_and_links, set_source(0, "Text")),
    (contract.same_setup_cell, set_source(1, "import sys")),
    (contract.same_setup_cell, set_tags(1)),
    (contract.same_setup_cell, set_tags(2, "setup")),
    (contract.well_formed_checks, set_source(5, "result = checks.softmax(softmax)")),
    (contract.well_formed_checks, set_source(5, "checks.softmax(softmax)\n1")),
    (contract.checks_store_full_marks, set_outputs(5)),
    (contract.checks_store_full_marks, set_outputs(5, HALF)),
    (contract.few_ignored_outputs, ignore_three),
]


@pytest.mark.parametrize("rule, break_notebook", BREAKERS)
def test_broken_notebook_is_noticed(rule, break_notebook, path, tmp_path):
    notebook = good_notebook(path)
    break_notebook(notebook)
    assert messages(rule, nbformat.from_dict(notebook), path, tmp_path) != []


def test_every_rule_is_shown_to_notice():
    assert {rule for rule, _ in BREAKERS} == {*RULES, *EXERCISE_RULES}
