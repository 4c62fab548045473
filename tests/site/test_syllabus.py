"""The syllabus fits the notebooks, and every text that names a lesson fits the syllabus."""

import importlib
import json
import re

import pytest

import course_checks as checks
from tools.notebooks.minutes import loads_of_lessons
from tools.notebooks.notebook_files import (
    FOLDERS,
    ROOT,
    find_notebooks,
    is_check_cell,
    read_notebook,
)
from tools.site import stamp_links, syllabus
from tools.site.build_site import FRONT_PAGE, WAYS, front_page, ways_through

LOADS = loads_of_lessons(ROOT)
PROJECT = stamp_links.Project.read(ROOT)
SUFFIXES = {".py", ".md", ".ipynb", ".toml", ".txt", ".yml", ".json", ".js", ".mjs", ".css", ""}
PACKAGES = ("course_lib", "course_checks", "tests", "tools", "benchmarks")
PLACES = (*FOLDERS, *PACKAGES, "docs", ".github", ".ci")


def text_of(path):
    """What the course says in a file: of a notebook, the sources of its cells."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    return "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


def texts():
    """Every text file of the course but this one, which holds false references on purpose."""
    paths = [path for path in ROOT.iterdir() if path.is_file()]
    paths += [path for place in PLACES for path in (ROOT / place).rglob("*") if path.is_file()]
    hidden = {"__pycache__", ".ipynb_checkpoints", "node_modules"}
    return [
        path
        for path in sorted(paths)
        if path.suffix in SUFFIXES and path.name != "test_syllabus.py"
        if not hidden & set(path.relative_to(ROOT).parts) and not path.name.startswith(".coverage")
    ]


def test_every_reference_to_a_lesson_is_true():
    paths = texts()
    for name in ("README.md", "Makefile", "08_transformer_block.ipynb", "record.py", "rungs.py"):
        assert name in {path.name for path in paths}
    faults = {path: list(syllabus.false_references(text_of(path))) for path in paths}
    found = [f"{path.relative_to(ROOT)}: {fault}" for path in paths for fault in faults[path]]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text, fault",
    [
        ("as lesson 18 shows", "no lesson 18"),
        ("Lessons 01 and 42 do", "no lesson 42"),
        ("lessons 01, 02, and\n42", "no lesson 42"),
        ("lessons 08 to 98 do", "no lesson 98"),
        ("notebooks/05_masking.ipynb", "no lesson of the syllabus has this name"),
        ("[next](06_positions.ipynb)", "no lesson of the syllabus has this name"),
        ("[lesson 07](06_cross_attention.ipynb)", "goes to another lesson"),
        ("[07 Positions](../notebooks/06_cross_attention.ipynb)", "goes to another lesson"),
        ("[07 Places](07_positions.ipynb)", "title of lesson 07 is 'Positions'"),
        ("[lesson 07, Places](07_positions.ipynb)", "title of lesson 07 is 'Positions'"),
        ('lesson 07, "Places", says', "title of lesson 07 is 'Positions'"),
        ("# 03 · Several heads\n", "title of lesson 03 is 'Many heads'"),
        ("# Exercises 03 · Several heads\n", "title of lesson 03 is 'Many heads'"),
        ("| 03 Several heads | 60 |", "title of lesson 03 is 'Many heads'"),
    ],
)
def test_false_reference_is_found(text, fault):
    assert any(fault in found for found in syllabus.false_references(text))


def test_every_lesson_is_there():
    names = [lesson.name for lesson in syllabus.LESSONS.values()]
    assert [path.stem for path in find_notebooks(ROOT, ("notebooks",))] == names
    names = [
        lesson.name for lesson in syllabus.LESSONS.values() if lesson.exercise_minutes is not None
    ]
    for folder in ("solutions", "exercises"):
        assert [path.stem for path in find_notebooks(ROOT, (folder,))] == names


@pytest.mark.parametrize("lesson", syllabus.LESSONS.values(), ids=lambda lesson: lesson.name)
def test_notebooks_say_what_the_syllabus_says(lesson):
    first = read_notebook(ROOT / "notebooks" / f"{lesson.name}.ipynb").cells[0].source
    assert first.startswith(f"# {lesson.number} · {lesson.title}\n")
    if lesson.exercise_minutes is not None:
        cells = read_notebook(ROOT / "solutions" / lesson.name / f"{lesson.name}.ipynb").cells
        first = cells[0].source
        assert first.startswith(f"# Exercises {lesson.number} · {lesson.title}\n")
        found = re.findall(r"exercises, about (\d+) minutes", first)
        assert found == [str(lesson.exercise_minutes)]
        text = "\n".join(cell.source for cell in cells)
        each = re.findall(r"^\*Difficulty: \S+ · (\d+) minutes\b", text, re.MULTILINE)
        assert sum(map(int, each)) == lesson.exercise_minutes


@pytest.mark.parametrize("lesson", syllabus.LESSONS.values(), ids=lambda lesson: lesson.name)
def test_what_a_lesson_needs_is_there_before_it(lesson):
    for number in {**lesson.needs, **lesson.useful}:
        assert number < lesson.number and number in syllabus.LESSONS


def test_what_the_course_needs_is_said_in_the_same_words_everywhere():
    texts = {
        name: text_of(ROOT / name)
        for name in ("README.md", "notebooks/00_start_here.ipynb", "notebooks/01_soft_lookup.ipynb")
    }
    page, pictures = text_of(ROOT / FRONT_PAGE), dict.fromkeys(syllabus.LESSONS, "")
    texts["the front page"] = front_page(page, PROJECT, pictures)
    for name, text in texts.items():
        assert f"{syllabus.NEEDED}. {syllabus.BRIDGE}" in text, name
        assert not re.search(r"\b[Yy]ou (?:should know|need to know|must know)\b", text), name


# What the bridge in lesson 02 explains to somebody who knows NumPy.
BRIDGE_SECTION = "## 4. A head that learns"
EXPLAINED = ("nn.Module", "super().__init__()", "nn.Linear(", "load_state_dict(", "cross_entropy(")
EXPLAINED += (".zero_grad()", ".backward()", "torch.optim.", ".step()", "fit(")


def core_cells(lesson):
    """The cells of a lesson's core, each with the heading of its section."""
    section = ""
    for cell in read_notebook(ROOT / "notebooks" / f"{lesson.name}.ipynb").cells:
        if cell.cell_type == "markdown":
            for heading in re.findall(r"^## .*$", cell.source, re.MULTILINE):
                section = heading
        if not section.startswith(("## Deeper", "## Where it comes from")):
            yield section, cell


@pytest.mark.parametrize("name", EXPLAINED)
def test_what_pytorch_brings_is_explained_where_it_first_stands(name):
    """Lesson 00 shows such code too, and says that it need not be understood yet."""
    places = [
        (lesson.number, section)
        for lesson in list(syllabus.LESSONS.values())[1:]
        for section, cell in core_cells(lesson)
        if cell.cell_type == "code" and name in cell.source
    ]
    assert places[0] == ("02", BRIDGE_SECTION)


def test_the_bridge_names_what_it_explains():
    texts = [
        cell.source
        for section, cell in core_cells(syllabus.LESSONS["02"])
        if section == BRIDGE_SECTION and cell.cell_type == "markdown"
    ]
    named = re.findall(r"\*\*([\w-]+)\*\*", "\n".join(texts))
    assert {"module", "parameters", "loss", "cross-entropy"} <= set(named)
    five = [word for word in named if word in ("Forward", "Loss", "Zero", "Backward", "Step")]
    assert five == ["Forward", "Loss", "Zero", "Backward", "Step"]


def test_the_short_way_goes_forwards_and_is_told_with_its_hours():
    assert list(syllabus.SHORT_WAY) == sorted(syllabus.SHORT_WAY) and set(syllabus.SHORT_WAY) < set(
        syllabus.LESSONS
    )
    cores = sum(LOADS[number].core.minutes for number in syllabus.SHORT_WAY)
    assert 8.5 <= cores / 60 <= 9.5
    assert f" {round(cores / 60)} hours" in syllabus.short_way(LOADS, "")
    for name in ("README.md", "notebooks/00_start_here.ipynb"):
        lines = text_of(ROOT / name).splitlines()
        rows = [line for line in lines if line.startswith(f"| {syllabus.MARK} ")]
        assert [row[5:7] for row in rows] == list(syllabus.SHORT_WAY)
    assert syllabus.SHORT_WAY in [numbers for _, _, numbers, _ in WAYS]


@pytest.mark.parametrize("number", syllabus.SHORT_WAY)
def test_a_lesson_of_the_short_way_leans_on_no_lesson_that_is_left_out(number):
    """Where its core names one that comes before it, the lesson says again what it takes."""
    lesson = syllabus.LESSONS[number]
    leans_on = set()
    for _, cell in list(core_cells(lesson))[1:]:
        if cell.cell_type == "markdown":
            for numbers in re.findall(r"\b[Ll]essons? (\d\d(?:(?:, | and )\d\d)*)", cell.source):
                leans_on |= set(re.findall(r"\d\d", numbers))
    before = {other for other in leans_on if other < number} - set(syllabus.SHORT_WAY) - {"00"}
    assert before <= {*lesson.needs, *lesson.useful}


def test_readme_and_map_lead_to_every_lesson():
    """Whether they are the ones that are stored, test_links.py sees."""
    tables = {
        "notebooks/": syllabus.readme_table(LOADS, PROJECT.colab_link),
        "": syllabus.map_table(LOADS),
    }
    for place, table in tables.items():
        for lesson in list(syllabus.LESSONS.values())[1:]:
            assert f"[{lesson.number} {lesson.title}]({place}{lesson.name}.ipynb)" in table


def test_the_hours_of_the_syllabus_are_the_sum_of_its_minutes():
    rows = syllabus.readme_table(LOADS, "[Colab]({})".format).splitlines()
    minutes = [re.search(r"\| (\d+)(?: \+ (\d+))? \| (\d*) \| \[Colab\]", row) for row in rows]
    columns = zip(*(found.groups() for found in minutes if found), strict=True)
    hours = [round(sum(int(cell or 0) for cell in column) / 60) for column in columns]
    assert rows[-1] == "| **All, in hours** |  | **{} + {}** | **{}** |  |".format(*hours)
    assert syllabus.readme_table(LOADS, lambda path: "").splitlines()[-1] == rows[-1].removesuffix(
        "  |"
    )
    assert f"**The whole course**, about {sum(hours)} hours, exercises" in ways_through(LOADS)


@pytest.mark.parametrize("name", checks.ALL)
def test_exercise_stands_where_its_check_says(name):
    exercise = checks.ALL[name].exercise
    module = importlib.import_module(exercise.reference.__module__)
    assert module.__doc__.startswith(f"Lesson {exercise.lesson}, exercise {exercise.number}: ")
    topic = syllabus.LESSONS[exercise.lesson].name
    seen = []
    for cell in read_notebook(ROOT / "solutions" / topic / f"{topic}.ipynb").cells:
        seen += re.findall(r"^## Exercise (\d+) ·", cell.source, re.MULTILINE)
        if is_check_cell(cell) and cell.source.startswith(f"checks.{name}("):
            break
    else:
        pytest.fail(f"solutions/{topic} has no check {name}")
    assert seen[-1] == str(exercise.number)
