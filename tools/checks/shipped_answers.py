"""Answers to exercises, as students write them: what each says of itself, and its function.

course_checks/exercises/TOPIC/NAME_answers.py holds all answers to an exercise. On top stand the
imports that they share. Each answer begins with a line that says what it is, and ends where the
next one begins:

    # right

    # wrong: softmax over the queries instead of the keys
    # named: over_queries

The second line gives the diagnoses that are true of this code (several: `a | b`), one of which must
be told. Where the check does not tell it with every seed, the line begins with `# not named yet:`.
Without such a line every name is a wrong one. The answer is the last function of its part; other
functions there help it.

Those who bring their own may hand in loose files instead, FOLDER/EXERCISE/ANY.py: one answer each,
which begins in the same way and defines the exercise's function.
"""

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import course_checks as checks
from course_checks.judge.engine import Judge

FOLDER = checks.FOLDER
LABEL = re.compile(r"# (right|wrong: \S.*)")
NAMED = re.compile(r"# (named|not named yet): (\w+(?: *\| *\w+)*)")
NEARLY_A_LABEL = re.compile(r"#+ *(right|wrong|(not )?named)\b", re.IGNORECASE)


class UnreadableAnswer(ValueError):
    """A file of answers is not in this form; the text says where, and what was expected."""


@dataclass(frozen=True)
class Answer:
    """One answer: where it stands, and what it says of itself.

    ``names`` are the diagnoses that are true of it, which the check need not tell where it is not
    ``must_be_named``. ``source`` is its file without the other answers, in which each line keeps
    its number; ``function_name`` is what it defines.
    """

    exercise: str
    name: str
    path: Path
    is_right: bool
    names: frozenset[str]
    must_be_named: bool
    function_name: str
    source: str

    def function(self) -> Callable:
        """Run its source in a space of its own, and return the function."""
        space: dict = {"__name__": "answer"}
        exec(compile(self.source, str(self.path), "exec"), space)
        # An answer that calls itself does so by the exercise's name.
        space[self.exercise] = space[self.function_name]
        return space[self.function_name]

    def as_handed_in(self) -> str:
        """The imports that it uses and its functions: the last is called like the exercise."""
        tree, lines = ast.parse(self.source), self.source.splitlines()
        used = {self.function_name, *_used_names(tree)}
        parts = []
        for node in tree.body[ast.get_docstring(tree) is not None :]:
            imported = _imported_by(node)
            if not imported or imported & used:
                first = min(part.lineno for part in [node, *getattr(node, "decorator_list", [])])
                parts.append("\n".join(lines[first - 1 : node.end_lineno]))
        own_name = rf"(?<![.\w]){self.function_name}(?=\()|(?<=as ){self.function_name}\b"
        parts[-1] = re.sub(own_name, self.exercise, parts[-1])
        return "\n\n".join(parts) + "\n"


@dataclass(frozen=True)
class Verdict:
    """What the check said of an answer with one seed."""

    seed: int
    passed: bool
    diagnosis: str
    text: str

    @property
    def names(self) -> frozenset[str]:
        """One name, two where the check says "either ... or ...", or none."""
        return frozenset(self.diagnosis.split(" | ")) if self.diagnosis else frozenset()


def verdicts_on(answer: Answer, judges: Iterable[Judge]) -> list[Verdict]:
    """What each judge of its exercise says; the answer is run anew for each."""
    found = []
    for judge in judges:
        result = judge(answer.function())
        text = " ".join(result.message)
        passed = result.status == "pass"
        found.append(Verdict(judge.seed, passed, result.diagnosis or "", text))
    return found


def faults(answer: Answer, verdicts: Iterable[Verdict]) -> dict[str, list[Verdict]]:
    """The verdicts that are not as they should be, by what is wrong with them."""
    found: dict[str, list[Verdict]] = {
        "not caught": [],
        "named wrongly": [],
        "not named": [],
        "refused": [],
    }
    for verdict in verdicts:
        if answer.is_right:
            kind = "" if verdict.passed else "refused"
        elif verdict.passed:
            kind = "not caught"
        elif verdict.names and not verdict.names & answer.names:
            kind = "named wrongly"
        else:
            kind = "" if verdict.names else "not named"
        if kind:
            found[kind].append(verdict)
    return found


def read_answers(folder: Path = FOLDER) -> list[Answer]:
    """Every answer in ``folder``, in both forms.

    Raises:
        UnreadableAnswer: there is none, or one does not say what it is.
    """
    answers = [
        answer
        for path in sorted(folder.glob("*/*_answers.py")) or sorted(folder.glob("*/*.py"))
        for answer in read_file(path)
    ]
    if not answers:
        raise UnreadableAnswer(
            f"{folder} holds no answers: they stand in TOPIC/EXERCISE.py or EXERCISE/ANY.py"
        )
    return answers


def answers_to(exercise: str) -> list[Answer]:
    """The answers to one exercise that the course ships."""
    paths = sorted(FOLDER.glob(f"*/{exercise}_answers.py"))
    return [answer for path in paths for answer in read_file(path)]


def read_file(path: Path) -> list[Answer]:
    """The answers of one file: of EXERCISE.py, or the one of a loose file in EXERCISE/."""
    if path.stem.removesuffix("_answers") in checks.ALL:
        answers = list(_of_exercise(path))
        names = [answer.name for answer in answers]
        for name in names:
            if names.count(name) > 1:
                raise UnreadableAnswer(f"{path}: two answers are called {name}")
        return answers
    if path.parent.name in checks.ALL:
        return [_loose(path)]
    raise UnreadableAnswer(f"{path}: there is no exercise {path.stem!r} or {path.parent.name!r}")


def _of_exercise(path: Path) -> Iterator[Answer]:
    lines = path.read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if LABEL.fullmatch(line)]
    if not starts:
        raise UnreadableAnswer(f"{path}: no line says '# right' or '# wrong: what'")
    shared = lines[: starts[0]]
    top = ast.parse("\n".join(shared), str(path))
    if any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in top.body):
        raise UnreadableAnswer(
            f"{path}: a function stands above the first line '# right' or '# wrong: what'"
        )
    taken = set(dir(builtins)).union(*map(_imported_by, top.body))
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        own = lines[start:end]
        blank = [""] * (start - len(shared))
        name = _name_of_answer(path, start, own, taken)
        source = "\n".join([*shared, *blank, *own])
        yield Answer(path.stem.removesuffix("_answers"), name, path, *_label(own), name, source)


def _name_of_answer(path: Path, start: int, own: list[str], taken: set[str]) -> str:
    """What the last statement defines or imports in the part that begins at line ``start``."""
    for number, line in enumerate(own):
        is_wrong_with_name = number == 1 and own[0] != "# right" and NAMED.fullmatch(line)
        if number and NEARLY_A_LABEL.match(line) and not is_wrong_with_name:
            raise UnreadableAnswer(
                f"{path}, line {start + number + 1}: '# right' and '# wrong: what' begin an "
                f"answer, and '# named: a | b' follows the second. The line is {line!r}."
            )
    tree = ast.parse("\n".join([*[""] * start, *own]), str(path))
    match tree.body[-1] if tree.body else None:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            pass
        case ast.ImportFrom(names=[*_, alias]):
            name = alias.asname or alias.name
        case _:
            raise UnreadableAnswer(f"{path}, line {start + 1}: no function follows")
    if name in taken:
        raise UnreadableAnswer(f"{path}, line {start + 1}: {name} is an import, or Python's own")
    for node in tree.body[:-1]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in _used_names(tree):
            raise UnreadableAnswer(
                f"{path}, line {node.lineno}: {name} does not use {node.name}. Each answer begins "
                "with '# right' or '# wrong: what'."
            )
    return name


def _loose(path: Path) -> Answer:
    exercise, text = path.parent.name, path.read_text(encoding="utf-8")
    lines = [*text.splitlines(), "", ""]
    if not LABEL.fullmatch(lines[0]):
        raise UnreadableAnswer(
            f"{path}: the first line should be '# right' or '# wrong: what'. It is {lines[0]!r}."
        )
    return Answer(exercise, path.stem, path, *_label(lines), exercise, text)


def _label(lines: list[str]) -> tuple[bool, frozenset[str], bool]:
    """Whether it is right, the names that are true of it, and whether one must be told."""
    is_right = lines[0] == "# right"
    if is_right or not (match := NAMED.fullmatch(lines[1])):
        return is_right, frozenset(), False
    names = frozenset(map(str.strip, match[2].split("|")))
    return is_right, names, match[1] == "named"


def _used_names(tree: ast.Module) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _imported_by(node: ast.stmt) -> set[str]:
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return set()
    return {one.asname or one.name.partition(".")[0] for one in node.names}
