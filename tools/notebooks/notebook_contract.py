"""What every notebook must keep, checked without a kernel.

Each rule is a function that takes a `Subject` and gives messages, none when the rule is kept.
`RULES` lists the rules for executed notebooks (lessons and solutions), `EXERCISE_RULES` those for
exercises.
"""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_lib.figures.colours import ROLES
from tools.notebooks.cell_code import SHELL_LINE, code_tokens, is_python, lines_of_code, syntax_tree
from tools.notebooks.minutes import load_of_text
from tools.notebooks.notebook_files import (
    KEPT_CELL_METADATA,
    LINKS_LINE,
    NOTEBOOK_METADATA,
    WIDGET_VIEW,
    cell_tags,
    is_check_cell,
    is_solution_cell,
    loads_real_model,
    read_notebook,
)
from tools.notebooks.stored_figures import stored_png
from tools.notebooks.tolerance import has_number, tolerance
from tools.site.stamp_links import Project, setup_cells

COLOURED = re.compile(r'<span style="color: ?([^";]*);?">(.*?)</span>', re.DOTALL)
NAMES_OF_ROLES = {  # where other words stand for a role too
    "input": r"input|\bX\b|\bx\b",
    "query": r"quer|Q",
    "key": r"key|K",
    "value": r"value|V",
    "scores": r"score",
    "weights": r"weight|softmax",
}
MAX_BYTES = 1_000_000
MAX_CODE_LINES = 15
SECTION = re.compile(r"^## (\d+)\. ", re.MULTILINE)
WHAT_TO_SEE = "**What to see.**"
MOST_WORDS = 90  # of a paragraph, an item of a list counts as one
MOST_WORDS_BESIDE = 60  # of what a figure needs to be seen
IMAGE_KINDS = {"image/png", "image/jpeg", "image/svg+xml"}
NBVAL_TAGS = {"nbval-ignore-output", "nbval-skip", "raises-exception"}
NBVAL_COMMENT = re.compile(r"#\s*(NBVAL_\w+|PYTEST_VALIDATE_IGNORE_OUTPUT)")

ABSOLUTE_PATH = re.compile(
    r"(?<![\w.:/~-])/(home|root|Users|tmp|work|mnt|opt|var|content|usr)/[\w.]"
    r"|\b[A-Z]:\\(Users|Windows|Program)"
)
SECRET = re.compile(
    r"gh[pousr]_\w{20,}|github_pat_\w{20,}|hf_\w{20,}|\bsk-[\w-]{20,}|AKIA[0-9A-Z]{16}"
    r"|AIza[\w-]{30,}|xox[abpr]-\w{10,}|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"""|(?i:password|api_?key|secret)\s*=\s*["'][^"']{6,}["']"""
)
PRIVATE = {"an absolute path": ABSOLUTE_PATH, "what looks like a secret": SECRET}
UNSTABLE = {
    "calls the shell with !": SHELL_LINE,
    "uses a widget whose output nbval cannot compare": re.compile(
        r"(?<!\w)(interact|interactive|interactive_output|Output)\("
    ),
}


@dataclass(frozen=True)
class Subject:
    """A notebook together with what its rules need to know about the project."""

    path: Path
    project: Project

    @cached_property
    def notebook(self) -> NotebookNode:
        return read_notebook(self.path)

    @property
    def cells(self) -> list[NotebookNode]:
        return self.notebook.cells

    @property
    def code_cells(self) -> list[tuple[int, NotebookNode]]:
        return [(i, cell) for i, cell in enumerate(self.cells) if cell.cell_type == "code"]

    @property
    def outputs(self) -> list[tuple[int, NotebookNode]]:
        return [(i, output) for i, cell in self.code_cells for output in cell.outputs]


def valid_format(subject: Subject) -> list[str]:
    notebook = subject.notebook
    if (notebook.nbformat, notebook.nbformat_minor) < (4, 5):
        return [f"nbformat {notebook.nbformat}.{notebook.nbformat_minor} is older than 4.5"]
    try:
        nbformat.validate(notebook)
    except nbformat.ValidationError as error:
        return [f"not a valid notebook: {str(error).splitlines()[0]}"]
    return []


def unique_cell_ids(subject: Subject) -> list[str]:
    # From the file itself: nbformat gives a cell with a missing or repeated id a new one.
    ids = [cell.get("id") for cell in json.loads(subject.path.read_bytes())["cells"]]
    return [
        f"cell {i}: its id {id_} is missing or used twice"
        for i, id_ in enumerate(ids)
        if id_ is None or ids.count(id_) > 1
    ]


def size_limit(subject: Subject) -> list[str]:
    size = subject.path.stat().st_size
    return [f"{size} bytes; the limit is {MAX_BYTES}"] if size >= MAX_BYTES else []


def no_empty_code_cell(subject: Subject) -> list[str]:
    return [f"cell {i} is empty" for i, cell in subject.code_cells if not cell.source.strip()]


def counts_in_order(subject: Subject) -> list[str]:
    counts = [cell.execution_count for _, cell in subject.code_cells]
    wanted = list(range(1, len(counts) + 1))
    return [] if counts == wanted else [f"execution counts are {counts}, not 1..{len(counts)}"]


def sections_in_order(subject: Subject) -> list[str]:
    texts = (cell.source for cell in subject.cells if cell.cell_type == "markdown")
    numbers = [int(number) for text in texts for number in SECTION.findall(text)]
    wanted = list(range(1, len(numbers) + 1))
    return [] if numbers == wanted else [f"sections are {numbers}, not 1..{len(numbers)}"]


def no_outputs(subject: Subject) -> list[str]:
    return [
        f"cell {i} holds an output or an execution count"
        for i, cell in subject.code_cells
        if cell.outputs or cell.execution_count is not None
    ]


def no_error_or_stderr(subject: Subject) -> list[str]:
    return [
        f"cell {i} stores {'an error' if output.output_type == 'error' else 'stderr'}"
        for i, output in subject.outputs
        if output.output_type == "error" or output.get("name") == "stderr"
    ]


def _texts(subject: Subject):
    """Yield (cell number, text) for everything in the notebook that somebody could read."""
    for i, cell in enumerate(subject.cells):
        yield i, cell.source
    for i, output in subject.outputs:
        yield i, output.get("text", "")
        for kind, value in output.get("data", {}).items():
            if kind not in IMAGE_KINDS:
                yield i, str(value)


def nothing_private(subject: Subject) -> list[str]:
    return [
        f"cell {i} holds {what}: {match[0][:6]}..."
        for i, text in _texts(subject)
        for what, pattern in PRIVATE.items()
        for match in pattern.finditer(text)
    ]


def no_volatile_metadata(subject: Subject) -> Iterator[str]:
    if subject.notebook.metadata != NOTEBOOK_METADATA:
        yield f"the notebook's metadata are not exactly {NOTEBOOK_METADATA}"
    for i, cell in enumerate(subject.cells):
        for name in sorted(set(cell.metadata) - KEPT_CELL_METADATA):
            yield f"cell {i} has the metadata {name}"
    for i, output in subject.outputs:
        if WIDGET_VIEW in output.get("data", {}):
            yield f"cell {i} stores a widget's random id"


def no_trailing_semicolon(subject: Subject) -> Iterator[str]:
    for i, cell in subject.code_cells:
        tokens = code_tokens(cell.source) if is_python(cell) else []
        for token, following in zip(tokens, [*tokens[1:], None], strict=True):
            ends_line = following is None or following.start[0] > token.end[0]
            if token.string == ";" and ends_line:
                yield f"cell {i} has a trailing semicolon in line {token.start[0]}"


def no_unstable_code(subject: Subject) -> list[str]:
    return [
        f"cell {i} {what}"
        for i, cell in subject.code_cells
        for what, pattern in UNSTABLE.items()
        if pattern.search(cell.source)
    ]


def few_ignored_outputs(subject: Subject) -> list[str]:
    ignored = sum("nbval-ignore-output" in cell_tags(cell) for _, cell in subject.code_cells)
    total = len(subject.code_cells)
    if 3 * ignored > total:
        return [f"{ignored} of {total} code cells are tagged nbval-ignore-output: over a third"]
    return []


def no_unchecked_cell(subject: Subject) -> Iterator[str]:
    for i, cell in subject.code_cells:
        tags = NBVAL_TAGS.intersection(cell_tags(cell))
        if "nbval-skip" in tags:
            yield f"cell {i} is tagged nbval-skip"
        elif tags and is_check_cell(cell):
            yield f"cell {i} is a check and is tagged {sorted(tags)}"
        if match := NBVAL_COMMENT.search(cell.source):
            yield f"cell {i} has the comment {match[1]}; use a tag"


def well_formed_tolerances(subject: Subject) -> Iterator[str]:
    for i, cell in enumerate(subject.cells):
        try:
            most = tolerance(cell)
        except ValueError as error:
            yield f"cell {i}: {error}"
            continue
        if most is None:
            continue
        if is_check_cell(cell):
            yield f"cell {i} is a check and is tagged within-{most}"
        elif NBVAL_TAGS.intersection(cell_tags(cell)):
            yield f"cell {i} is tagged within-{most}, and that it is not compared"
        elif not has_number(cell.get("outputs", [])):
            yield f"cell {i} is tagged within-{most} and stores no number as plain text"


def short_code_cells(subject: Subject) -> Iterator[str]:
    for i, cell in subject.code_cells:
        lines = lines_of_code(cell)
        exempt = "setup" in cell_tags(cell) or is_solution_cell(cell)
        if lines > MAX_CODE_LINES and not exempt:
            yield f"cell {i} has {lines} lines of code; at most {MAX_CODE_LINES}"


def images_explained(subject: Subject) -> list[str]:
    drawn = {
        i
        for i, output in subject.outputs
        if IMAGE_KINDS & set(output.get("data", {})) or stored_png(output) is not None
    }
    explained = {
        neighbour
        for i, cell in enumerate(subject.cells)
        if cell.cell_type == "markdown"
        and re.search(rf"^{re.escape(WHAT_TO_SEE)}.*\S", cell.source, re.MULTILINE)
        for neighbour in (i - 1, i + 1)
    }
    return [
        f"cell {i} draws an image; the markdown cell before or after it needs a line that starts "
        f"with {WHAT_TO_SEE} and says it"
        for i in sorted(drawn - explained)
    ]


def paragraphs(markdown: str) -> list[str]:
    """Split at empty lines and before items of lists; tables, formulas and code are left out."""
    text = re.sub(r"```.*?```|\$\$.*?\$\$|<!--.*?-->", "", markdown, flags=re.DOTALL)
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) |<)", text)
    return [part.strip() for part in parts if part.strip() and not part.strip().startswith("|")]


def short_paragraphs(subject: Subject) -> Iterator[str]:
    """No long paragraph, and few words beside a figure."""
    for i, cell in enumerate(subject.cells):
        for text in paragraphs(cell.source) if cell.cell_type == "markdown" else []:
            most = MOST_WORDS_BESIDE if text.startswith(WHAT_TO_SEE) else MOST_WORDS
            words = load_of_text(text).words
            if words > most:
                yield (
                    f"cell {i} has a paragraph of {words} words, at most {most} are allowed: "
                    f"{text[:40]}..."
                )


def folds_in_html(subject: Subject) -> Iterator[str]:
    """What folds is HTML, in which Markdown's marks would be shown as they are."""
    for i, cell in enumerate(subject.cells):
        folds = (
            re.findall(r"^<details>.*", cell.source, re.M) if cell.cell_type == "markdown" else []
        )
        for line in folds:
            words = re.sub(r"<code>.*?</code>|\$[^$]+\$", "", line)
            if mark := re.search(r"`|(?<!\w)\*+\w", words):
                yield f"cell {i} has {mark[0]!r} in a line that folds: write <code>, <em>"


def colours_of_roles(subject: Subject) -> Iterator[str]:
    """Words that are coloured are coloured as in the drawings."""
    for i, cell in enumerate(subject.cells):
        if cell.cell_type != "markdown":
            continue
        for colour, words in COLOURED.findall(cell.source):
            named = [role for role, value in ROLES.items() if value == colour.lower()]
            if not named or not re.search(NAMES_OF_ROLES.get(named[0], named[0]), words, re.I):
                yield f"cell {i} colours {words!r} {colour}, which is no colour of it"


def first_cell_and_links(subject: Subject) -> list[str]:
    first = subject.cells[0] if subject.cells else None
    if first is None or first.cell_type != "markdown" or not first.source.startswith("# "):
        return ["the first cell must be markdown and start with the title, `# ...`"]
    lines = [match[0] for match in LINKS_LINE.finditer(first.source)]
    if lines != [subject.project.links_line(subject.path)]:
        return ["the first cell's links do not fit the address in address.txt: `make links`"]
    return []


def same_setup_cell(subject: Subject) -> list[str]:
    setups = setup_cells(subject.notebook)
    if len(setups) != 1 or setups[0] is not subject.code_cells[0][1]:
        return ["the first code cell, and no other cell, must have the tag `setup`"]
    expected = subject.project.setup_cell(real_model=loads_real_model(subject.notebook))
    if setups[0].source != expected:
        return ["the set-up cell differs from that of the other notebooks: `make links`"]
    return []


def well_formed_checks(subject: Subject) -> Iterator[str]:
    """A check is one call whose result the cell shows: nbgrader reads the points from there."""
    for i, cell in subject.code_cells:
        match ast.parse(cell.source).body if is_check_cell(cell) else None:
            case None | [ast.Expr(ast.Call(func=ast.Attribute(value=ast.Name(id="checks"))))]:
                continue
        yield f"cell {i}: a check must be one line such as checks.softmax(softmax)"


def checks_store_full_marks(subject: Subject) -> Iterator[str]:
    for i, cell in subject.code_cells:
        if is_check_cell(cell):
            stored = [output.get("data", {}).get("text/plain") for output in cell.outputs]
            points = cell.metadata.nbgrader.points
            if stored != [str(float(points))]:
                yield f"cell {i} stores {stored}, not the full marks {float(points)}"


def names_mean_one_thing(subject: Subject) -> list[str]:
    """What a cell defines or imports, no other cell binds to something else.

    Otherwise a cell that is run again finds a table where it calls a function.
    """
    defined: dict[str, int] = {}
    bound: dict[str, set[int]] = {}
    for i, cell in subject.code_cells:
        for statement in syntax_tree(cell).body:
            match statement:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    defined.setdefault(name, i)
                    bound.setdefault(name, set()).add(i)
                case ast.Import(names=names) | ast.ImportFrom(names=names):
                    for alias in names:
                        defined.setdefault((alias.asname or alias.name).partition(".")[0], i)
                case _:
                    for node in ast.walk(statement):
                        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                            bound.setdefault(node.id, set()).add(i)
    return [
        f"cell {other} binds {name}, which cell {i} defines as something else"
        for name, i in defined.items()
        for other in sorted(bound.get(name, set()) - {i})
    ]


def hooks_end(subject: Subject) -> Iterator[str]:
    """A hook ends with its block, so that an interrupted cell leaves none behind.

    The block is a `with` or a `try` that has a `finally`. What a function returns ends where it was
    called, and what a module hangs on its own part when it is made is a part of it.
    """
    for i, cell in subject.code_cells:
        tree = syntax_tree(cell)
        ending: set[ast.AST] = set()
        for node in ast.walk(tree):
            match node:
                case ast.With(items=items):
                    ending.update(item.context_expr for item in items)
                case ast.Call(func=ast.Attribute(attr="enter_context"), args=[hook]):
                    ending.add(hook)
                case ast.Return(value=ast.Call() as hook):
                    ending.add(hook)
                case ast.Try(finalbody=[_, *_]) | ast.FunctionDef(name="__init__"):
                    ending.update(ast.walk(node))
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(attr=name)) if (
                    name.startswith("register_") and name.endswith("_hook") and node not in ending
                ):
                    yield f"cell {i} has a {name} outside of `with`"


COMMON_RULES = (
    valid_format,
    unique_cell_ids,
    size_limit,
    no_empty_code_cell,
    nothing_private,
    no_volatile_metadata,
    no_trailing_semicolon,
    no_unstable_code,
    few_ignored_outputs,
    no_unchecked_cell,
    short_code_cells,
    first_cell_and_links,
    same_setup_cell,
    well_formed_checks,
    folds_in_html,
    names_mean_one_thing,
    hooks_end,
)
RULES = (
    *COMMON_RULES,
    counts_in_order,
    sections_in_order,
    no_error_or_stderr,
    images_explained,
    checks_store_full_marks,
    well_formed_tolerances,
    short_paragraphs,
    colours_of_roles,
)
EXERCISE_RULES = (*COMMON_RULES, no_outputs)
