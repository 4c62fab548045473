"""Answers to exercises, as students write them: what each says of itself, and its function.

course_checks/exercises/TOPIC/NAME_answers.py holds all answers to an exercise. On top stand the
imports and helpers that several of them share. Each answer begins with a line that says what it is,
and ends where the next one begins; further lines of its label follow in any order:

    # right

    # wrong: softmax over the queries instead of the keys
    # named: over_queries
    # points: 2
    # says: rows have to sum to 1

`# named` gives the diagnoses that are true of this code (several: `a | b`), one of which must be
told. Where the check does not tell it with every seed, the line begins with `# not named yet:`.
Without such a line every name is a wrong one. `# points` stand where they matter, and so do words
that the result must show: each `# says` is a piece of them.

A mistake in a program that stands above is written as edits of it, and no code follows:

    # wrong: the scores are not scaled
    # named: scale_forgotten
    # unscaled = in_tiles: * scale ->

That is ``in_tiles`` under another name, with the text before the arrow replaced by what follows it,
wherever it stands; more such lines make more edits.

The answer is what the last statement of its part defines: a function, a class, `from ... import` or
`name = expression`. Other functions there help it. Below a last line `# other inputs` stands
`other_inputs(generator)`, which yields tuples of arguments that the check itself does not draw.

Those who bring their own may hand in loose files instead, FOLDER/EXERCISE/ANY.py: one answer each,
which begins in the same way and defines the exercise's function.
"""

import ast
import builtins
import linecache
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import course_checks as checks
from course_checks.judge.engine import Judge

FOLDER = checks.FOLDER
LABEL = re.compile(r"# (right|wrong: \S.*)")
FURTHER_LABEL = re.compile(
    r"# (?:(named|not named yet): (\w+(?: *\| *\w+)*)|points: (\d+)|says: (\S.*)|\w+ = \w+: .*)"
)
EDIT = re.compile(r"# (\w+) = (\w+): (.+?) ->(?: (.*))?")
NEARLY_A_LABEL = re.compile(r"#+ *(right|wrong|(not )?named|points|says|other inputs)\b", re.I)
OTHER_INPUTS = "# other inputs"


class UnreadableAnswer(ValueError):
    """A file of answers is not in this form; the text says where, and what was expected."""


@dataclass(frozen=True)
class Label:
    """What an answer says of itself.

    ``names`` are the diagnoses that are true of it, which the check need not tell where it is not
    ``must_be_named``. ``points`` are None where any number is right that a wrong answer may have.
    """

    is_right: bool
    names: frozenset[str] = frozenset()
    must_be_named: bool = False
    points: int | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """One answer and where it stands.

    ``source`` is its file without the other answers, in which each line keeps its number;
    ``function_name`` is what it defines.
    """

    exercise: str
    name: str
    path: Path
    label: Label
    function_name: str
    source: str

    @property
    def is_right(self) -> bool:
        return self.label.is_right

    def function(self) -> Callable:
        """Run its source in a space of its own, and return the function."""
        return _run(self.source, f"<{self.path}, {self.name}>")[self.function_name]

    def as_handed_in(self) -> str:
        """The imports and helpers that it uses, and its function, called like the exercise."""
        tree, lines = ast.parse(self.source), self.source.splitlines()
        *others, last = tree.body[ast.get_docstring(tree) is not None :]
        parts, used = [_lines_of(last, lines)], _used_names(last)
        for node in reversed(others):
            if _defined_by(node) & used:
                parts.insert(0, _lines_of(node, lines))
                used |= _used_names(node)
        own_name = rf"(?<![.\w]){self.function_name}(?=\(| = )|(?<=as ){self.function_name}\b"
        parts[-1] = re.sub(own_name, self.exercise, parts[-1])
        return "\n\n".join(parts) + "\n"


@dataclass(frozen=True)
class Verdict:
    """What the check said of an answer with one seed; ``shown`` is all of its text."""

    seed: int
    passed: bool
    diagnosis: str
    points: float
    message: str
    shown: str

    @property
    def names(self) -> frozenset[str]:
        """One name, two where the check says "either ... or ...", or none."""
        return frozenset(self.diagnosis.split(" | ")) if self.diagnosis else frozenset()


def verdicts_on(answer: Answer, judges: Iterable[Judge]) -> list[Verdict]:
    """What each judge of its exercise says; the answer is run anew for each."""
    verdicts = []
    for judge in judges:
        result = judge(answer.function())
        passed = result.status == "pass" and result.points == result.max_points
        diagnosis, message = result.diagnosis or "", " ".join(result.message)
        verdicts.append(Verdict(judge.seed, passed, diagnosis, result.points, message, str(result)))
    return verdicts


FAULTS = ("not caught", "named wrongly", "not named", "refused", "other points", "other words")


def faults(answer: Answer, verdicts: Iterable[Verdict]) -> dict[str, list[Verdict]]:
    """The verdicts that are not as they should be, by what is wrong with them."""
    by_kind: dict[str, list[Verdict]] = {kind: [] for kind in FAULTS}
    for verdict in verdicts:
        for kind in _faults_of(answer.label, verdict):
            by_kind[kind].append(verdict)
    return by_kind


def _faults_of(label: Label, verdict: Verdict) -> Iterator[str]:
    if label.is_right and not verdict.passed:
        yield "refused"
    elif not label.is_right and verdict.passed:
        yield "not caught"
    elif not label.is_right and not verdict.names:
        yield "not named"
    elif not label.is_right and not verdict.names & label.names:
        yield "named wrongly"
    if label.points not in (None, verdict.points):
        yield "other points"
    if not all(words in verdict.shown for words in label.words):
        yield "other words"


def read_answers(folder: Path = FOLDER) -> list[Answer]:
    """Every answer in ``folder``, in both forms.

    Raises:
        UnreadableAnswer: there is none, or one does not say what it is.
    """
    paths = sorted(folder.glob("*/*_answers.py")) or sorted(folder.glob("*/*.py"))
    answers = [
        answer for path in paths if path.name != "shared_answers.py" for answer in read_file(path)
    ]
    if not answers:
        raise UnreadableAnswer(
            f"{folder} holds no answers: they stand in TOPIC/EXERCISE_answers.py or EXERCISE/ANY.py"
        )
    return answers


def answers_to(exercise: str) -> list[Answer]:
    """The answers to one exercise that the course ships."""
    return [answer for path in _files_of(exercise) for answer in read_file(path)]


@cache
def other_inputs(exercise: str) -> Callable[[object], Iterator[tuple]] | None:
    """The function that stands below the answers to ``exercise``, or None where there is none."""
    for path in _files_of(exercise):
        head, _, inputs = _split(path)
        if inputs:
            return _run("\n".join([*head, *inputs]), f"<{path}>")["other_inputs"]
    return None


def _files_of(exercise: str) -> list[Path]:
    return sorted(FOLDER.glob(f"*/{exercise}_answers.py"))


def _run(source: str, file: str) -> dict:
    """What ``source`` defines, as code of a student's: it does not belong to the folder it is in.

    Where an error shows its lines, it says that they stand in ``file``.
    """
    space: dict = {"__name__": "answer"}
    exec(compile(source, file, "exec"), space)
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    return space


def read_file(path: Path) -> list[Answer]:
    """The answers of one file: of EXERCISE_answers.py, or of a loose file in EXERCISE/.

    None where the exercise needs a package that is not here.
    """
    exercise = path.stem.removesuffix("_answers")
    if exercise in checks.LACKING:
        return []
    if exercise in checks.ALL:
        answers = list(_of_exercise(path))
        names = [answer.name for answer in answers]
        for name in names:
            if names.count(name) > 1:
                raise UnreadableAnswer(f"{path}: two answers are called {name}")
        return answers
    if path.parent.name in checks.ALL:
        return [_loose(path)]
    raise UnreadableAnswer(f"{path}: there is no exercise {path.stem!r} or {path.parent.name!r}")


def _split(path: Path) -> tuple[list[str], list[list[str]], list[str]]:
    """What all share, each answer, and the other inputs; each begins with blank lines, so that
    behind what all share its lines have their numbers."""
    lines = path.read_text(encoding="utf-8").splitlines()
    end = lines.index(OTHER_INPUTS) if OTHER_INPUTS in lines else len(lines)
    starts = [number for number, line in enumerate(lines[:end]) if LABEL.fullmatch(line)]
    if not starts:
        raise UnreadableAnswer(f"{path}: no line says '# right' or '# wrong: what'")
    first = starts[0]
    parts = [
        [""] * (start - first) + lines[start:stop]
        for start, stop in zip([*starts, end], [*starts[1:], end, len(lines)], strict=True)
    ]
    return lines[:first], parts[:-1], parts[-1] if end < len(lines) else []


def _of_exercise(path: Path) -> Iterator[Answer]:
    head, parts, inputs = _split(path)
    shared = ast.parse("\n".join(head), str(path)).body
    taken = set(dir(builtins)).union(*map(_defined_by, shared))
    used = _used_names(ast.parse("\n".join(inputs)))
    above: dict[str, list[str]] = {}
    for part in parts:
        start = next(number for number, line in enumerate(part) if line)
        label = _label(path, part[start:], len(head) + start)
        part = _edited(path, part, above)
        name = _name_of_answer(path, len(head), part, taken)
        source, above[name] = "\n".join([*head, *part]), part
        used |= _used_names(ast.parse(source))
        yield Answer(path.stem.removesuffix("_answers"), name, path, label, name, source)
    for node in shared:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in used:
            raise UnreadableAnswer(f"{path}, line {node.lineno}: nothing uses {node.name}")


def _edited(path: Path, part: list[str], above: dict[str, list[str]]) -> list[str]:
    """The part itself, or the answer above that its label edits, with these edits."""
    edits = [edit.groups("") for edit in map(EDIT.fullmatch, part) if edit]
    if not edits:
        return part
    name, base, *_ = edits[0]
    source = "\n".join(above.get(base, []))
    for _, _, old, new in edits:
        if old not in source:
            raise UnreadableAnswer(
                f"{path}: {name} edits {base}, and no such answer above has {old!r}"
            )
        source = source.replace(old, new)
    return re.sub(rf"\b{base}\b", name, source).split("\n")


def _name_of_answer(path: Path, above: int, part: list[str], taken: set[str]) -> str:
    """What the last statement of ``part`` defines, which stands below ``above`` lines."""
    tree = ast.parse("\n".join([*[""] * above, *part]), str(path))
    start = above + next(number for number, line in enumerate(part, 1) if line)
    match tree.body[-1] if tree.body else None:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            pass
        case ast.ImportFrom(names=[*_, alias]):
            name = alias.asname or alias.name
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if not _is_constant(value):
            pass
        case _:
            raise UnreadableAnswer(f"{path}, line {start}: no function follows")
    if name in taken:
        raise UnreadableAnswer(f"{path}, line {start}: {name} stands on top, or is Python's own")
    for node in tree.body[:-1]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in _used_names(tree):
            raise UnreadableAnswer(
                f"{path}, line {node.lineno}: {name} does not use {node.name}. Each answer begins "
                "with '# right' or '# wrong: what'."
            )
    return name


def _is_constant(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant | ast.Tuple | ast.List | ast.Dict)


def _loose(path: Path) -> Answer:
    exercise, text = path.parent.name, path.read_text(encoding="utf-8")
    lines = [*text.splitlines(), ""]
    if not LABEL.fullmatch(lines[0]):
        raise UnreadableAnswer(
            f"{path}: the first line should be '# right' or '# wrong: what'. It is {lines[0]!r}."
        )
    return Answer(exercise, path.stem, path, _label(path, lines, 0), exercise, text)


def _label(path: Path, lines: list[str], above: int) -> Label:
    """From the first of ``lines`` and the further ones below it."""
    is_right, names, must_be_named, points, words = lines[0] == "# right", "", False, None, []
    in_label = True
    for number, line in enumerate(lines[1:], above + 2):
        further = FURTHER_LABEL.fullmatch(line) if in_label else None
        in_label = further is not None
        if NEARLY_A_LABEL.match(line) and (further is None or (is_right and further[1])):
            raise UnreadableAnswer(
                f"{path}, line {number}: '# right' and '# wrong: what' begin an answer, and "
                "'# named: a | b', '# points: 4' and '# says: words' follow, the first of them "
                f"where it is wrong. The line is {line!r}."
            )
        if further is not None:
            names, must_be_named = further[2] or names, must_be_named or further[1] == "named"
            points = int(further[3]) if further[3] else points
            words += [further[4]] if further[4] else []
    each_name = frozenset(name.strip() for name in names.split("|") if name.strip())
    return Label(is_right, each_name, must_be_named, points, tuple(words))


def _lines_of(node: ast.stmt, lines: list[str]) -> str:
    first = min(part.lineno for part in [node, *getattr(node, "decorator_list", [])])
    return "\n".join(lines[first - 1 : node.end_lineno])


def _used_names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _defined_by(node: ast.stmt) -> set[str]:
    """The names that a statement on the first level of a file defines or imports."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
