"""Submissions that are alike beyond what the exercise forces: alike.csv, for a person to look at.

An answer is read as its tokens, with every name of its own replaced by one mark. Runs of tokens
that stand in the exercise, its lesson, course_lib, the solution or the shipped answers are left
out. What is left and stands in few submissions of the class is evidence, and so is a number or a
comment that nobody else has; in an answer with a mistake that no check knows, it counts twice.
Nobody is judged by it. The same reading tells which answers are the published solution.
"""

import builtins
import io
import keyword
import math
import re
import tokenize
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from course_checks.notebook.mistakes import IN_ANOTHER_WAY, NOT_RECOGNISED
from grading.release import Release
from grading.results import ALIKE, PUBLISHED, Result
from grading.tables import write_table
from grading.written import Written, answer_cells
from tools.checks.shipped_answers import answers_to
from tools.notebooks.notebook_files import ROOT, read_notebook

TABLE = "alike.csv"
RUN = 6  # tokens that are compared at once
FEW, AT_MOST = 4, 10  # or 3% of the class: so many may share what is still rare
ENOUGH = 20  # evidence in one answer, or in all together one and a half times that
LONG = 60  # tokens: a shorter answer may be the solution by itself
OWN, COMMENT = "\N{BULLET}", "#"
KNOWN = {*keyword.kwlist, *dir(builtins)}

Feature = tuple[str, ...]  # a run of tokens, one number, or one comment


@dataclass
class Answer:
    """One answer: each of its features with the lines that it stands on, and its text."""

    text: str
    features: dict[Feature, set[int]]
    strange: bool = False


@dataclass
class Pair:
    """Two submissions: the evidence by exercise, and the lines of the first one that share it."""

    students: tuple[str, str]
    evidence: dict[str, float] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(self.evidence.values())


def read_answer(text: str, strange: bool = False) -> Answer:
    """The features of an answer; ``strange`` is one with a mistake that no check knows."""
    features: dict[Feature, set[int]] = defaultdict(set)
    words: list[tuple[str, int]] = []
    for kind, word, line in _tokens(text):
        if kind == tokenize.COMMENT:
            if len(word.split()) > 3:
                features[COMMENT, " ".join(word.casefold().split())].add(line)
            continue
        if kind == tokenize.NUMBER:
            features[word,].add(line)
        elif kind == tokenize.NAME and word not in KNOWN and (not words or words[-1][0] != "."):
            word = OWN
        words.append((word, line))
    words += [("", line) for _, line in words[-1:]] * (RUN - 1)  # so that its end counts as much
    return Answer(text, features | _runs(words), strange)


def read_words(text: str) -> Answer:
    """The features of an answer in words: its runs of words."""
    lines = enumerate(text.splitlines(), 1)
    words = [(word.casefold(), at) for at, line in lines for word in re.findall(r"\w+", line)]
    return Answer(text, _runs(words))


def _runs(words: list[tuple[str, int]]) -> dict[Feature, set[int]]:
    """Each run of words, with the lines on which it stands."""
    lines_of: dict[Feature, set[int]] = defaultdict(set)
    for start in range(len(words) - RUN + 1):
        run = words[start : start + RUN]
        lines_of[tuple(word for word, _ in run)].update(line for _, line in run)
    return lines_of


def _without_names(text: str) -> list[str]:
    """The tokens, with each name of one's own replaced by the number of its first use."""
    numbers: dict[str, str] = {}
    words: list[str] = []
    for kind, word, _ in _tokens(text):
        if kind == tokenize.NAME and word not in KNOWN and words[-1:] != ["."]:
            word = numbers.setdefault(word, f"{OWN}{len(numbers)}")
        words += [word] * (kind != tokenize.COMMENT)
    return words


def published(
    release: Release, written: dict[str, Written], exercises: dict[str, str]
) -> dict[str, list[str]]:
    """What review.csv says of answers that are the published solution; by student."""
    reasons_of = {}
    known = _solutions(release.name)
    for student, work in written.items():
        same = [
            exercises.get(cell, cell)
            for cell, text in work.answers.items()
            if cell in known and _without_names(text) == known[cell]
        ]
        if same:
            reasons_of[student] = [f"{PUBLISHED}, names and layout aside: {', '.join(same)}"]
    return reasons_of


@lru_cache(maxsize=2)
def _solutions(name: str) -> dict[str, list[str]]:
    """The solutions of an assignment that are long enough to compare, by check cell."""
    read: dict[str, list[str]] = {}
    for path in (ROOT / "solutions" / name).glob("*.ipynb"):
        answers = answer_cells(read_notebook(path))
        read |= {check: _without_names(cell.source) for check, cell in answers.items() if cell}
    return {check: words for check, words in read.items() if len(words) >= LONG}


def _tokens(text: str) -> list[tuple[int, str, int]]:
    """Kind, text and line of each token that says something; as far as it is Python."""
    tokens: list[tuple[int, str, int]] = []
    begins = True  # a statement: a text alone is a docstring
    dropped = (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in dropped:
                continue
            if token.type == tokenize.NEWLINE:
                begins = True
                if tokens and tokens[-1][1] != ";":
                    tokens.append((token.type, ";", token.start[0]))
                continue
            if token.type != tokenize.STRING or not begins:
                tokens.append((token.type, token.string, token.start[0]))
            begins = begins and token.type == tokenize.COMMENT
    except (tokenize.TokenError, SyntaxError):
        pass
    return tokens


def find_alike(
    classes: dict[str, dict[str, Answer]], forced: set[Feature], size: int
) -> list[Pair]:
    """The pairs of students whose answers share what few others have, those with most first.

    The answers come by exercise and student; features that are ``forced`` say nothing.
    """
    most = _most_that_share(size)
    pairs: dict[tuple[str, str], Pair] = {}
    for exercise, answers in classes.items():
        by_feature: dict[Feature, list[str]] = defaultdict(list)
        for student, answer in answers.items():
            for feature in answer.features:
                if feature not in forced:
                    by_feature[feature].append(student)
        shared: dict[tuple[str, str], list[Feature]] = defaultdict(list)
        for feature, students in by_feature.items():
            if 2 <= len(students) <= most:
                for couple in combinations(sorted(students), 2):
                    shared[couple].append(feature)
        for (first, second), features in shared.items():
            pair = pairs.setdefault((first, second), Pair((first, second)))
            twice = 2 if answers[first].strange and answers[second].strange else 1
            # A run begins at each token: a shared piece of n tokens has n - RUN + 1 of them.
            weights = (1.0 if len(feature) == RUN else 6.0 for feature in features)
            pair.evidence[exercise] = twice * sum(weights)
            pair.lines[exercise] = _lines(answers[first], features)
    return sorted(filter(_is_enough, pairs.values()), key=lambda pair: (-pair.total, pair.students))


def _most_that_share(size: int) -> int:
    return min(AT_MOST, max(FEW, math.ceil(0.03 * size)))


def _is_enough(pair: Pair) -> bool:
    return max(pair.evidence.values()) >= ENOUGH or (
        pair.total >= 1.5 * ENOUGH and sum(value >= RUN for value in pair.evidence.values()) > 1
    )


def _lines(answer: Answer, features: list[Feature]) -> str:
    """The lines of the answer on which the features stand, but for those that name a function or a
    class: the exercise gives them."""
    numbers = sorted(set().union(*(answer.features[feature] for feature in features)))
    lines = [line.strip() for line in answer.text.splitlines()]
    shared = (lines[number - 1] for number in numbers if number <= len(lines))
    return "\n".join(line for line in shared if not line.startswith(("def ", "class ")))


def write_alike(root: Path, pairs: list[Pair], exercises: dict[str, str], size: int) -> None:
    """Write alike.csv: one line for each pair and exercise, with what they share."""
    most = _most_that_share(size)
    rows = [
        [*pair.students, exercises.get(cell, cell), f"at most {most} of {size}", pair.lines[cell]]
        for pair in pairs
        for cell in pair.evidence
        if pair.evidence[cell] >= RUN
    ]
    write_table(root / TABLE, ["student", "and", "exercise", "shared_by", "shared_lines"], rows)


def alike_in_class(
    release: Release, results: list[Result], written: dict[str, Written]
) -> list[Pair]:
    """Compare what the students of ``results`` have ``written``."""
    classes: dict[str, dict[str, Answer]] = defaultdict(dict)
    for result in results:
        mistakes = written[result.student].mistakes
        for cell, text in written[result.student].answers.items():
            if cell in result.by_hand:
                classes[cell][result.student] = read_words(text)
            else:
                unknown = (NOT_RECOGNISED, IN_ANOTHER_WAY)
                strange = cell in mistakes and mistakes[cell].name in unknown
                classes[cell][result.student] = read_answer(text, strange)
    return find_alike(classes, forced_features(release), len(results))


def reasons(pairs: list[Pair], exercises: dict[str, str]) -> dict[str, list[str]]:
    """What review.csv says to each student's submission."""
    reasons_of: dict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        cells = [cell for cell in pair.evidence if pair.evidence[cell] >= RUN]
        where = ", ".join(exercises.get(cell, cell) for cell in cells)
        for student, other in (pair.students, pair.students[::-1]):
            reasons_of[student].append(
                f"{ALIKE}: shares with {other} what few others wrote, in {where}: {TABLE}"
            )
    return reasons_of


def forced_features(release: Release) -> set[Feature]:
    """What says nothing: every student reads it, or others wrote it before."""
    cells = release.notebook.cells
    about = [cell.metadata.get("nbgrader", {}) for cell in cells]
    answers = tuple(metadata.grade_id for metadata in about if metadata.get("solution"))
    in_words = [read_words(cell.source).features for cell in cells]
    code = [read_answer(cell.source).features for cell in cells]
    return set().union(*code, *in_words, _known_features(release.name, answers))


@lru_cache(maxsize=2)
def _known_features(name: str, exercises: tuple[str, ...]) -> frozenset[Feature]:
    """The features of the lesson and the solution, of course_lib, and of the shipped answers."""
    texts = []
    for path in [
        *(ROOT / "notebooks").glob(f"{name.partition('_')[0]}_*.ipynb"),
        *(ROOT / "solutions" / name).glob("*.ipynb"),
    ]:
        texts += [cell.source for cell in read_notebook(path).cells if cell.cell_type == "code"]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "course_lib").glob("*.py")]
    texts += [answer.as_handed_in() for name in exercises for answer in answers_to(name)]
    return frozenset().union(*(read_answer(text).features for text in texts))
