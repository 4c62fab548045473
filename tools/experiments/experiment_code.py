"""What of an experiment's code decides its numbers: the same text in every version of Python.

Left out are comments, layout, docstrings and imports. A name that an import brought in counts as
what it names, not as it is called here: `F.softmax` as torch.nn.functional.softmax, and what
course_lib has by its last name alone, in whichever of its modules it stands.
"""

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

from tools.notebooks.notebook_files import ROOT

LIBRARY = "course_lib"

# Where an f-string begins and ends from Python 3.12 on; before, it is one token, as it is written.
BEGINS = getattr(tokenize, "FSTRING_START", None)
ENDS = getattr(tokenize, "FSTRING_END", None)
MARKS = {tokenize.INDENT: "<indent>", tokenize.DEDENT: "<dedent>", tokenize.NEWLINE: "<end>"}
SKIPPED = (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER)

Position = tuple[int, int]  # as in tokenize: lines from 1, characters from 0
Word = tuple[Position, str]


def what_decides(sources: list[str]) -> list[str]:
    """The code of cells that run in order in one namespace, one text for each."""
    imported: dict[str, str] = {}
    return [_of_cell(source, imported) for source in sources]


def _of_cell(source: str, imported: dict[str, str]) -> str:
    """``imported`` has what each name stands for; the imports of this cell are added to it."""
    nodes = list(_outside_f_strings(ast.parse(source)))
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imported.update(_brought_by(node))
    lines = source.split("\n")
    stand_for = {
        _start(node, lines): imported[node.id]
        for node in nodes
        if isinstance(node, ast.Name) and node.id in imported
    }
    left_out = [(_start(node, lines), _end(node, lines)) for node in nodes if _says_nothing(node)]
    words = list(_words_outside(left_out, list(_words(source))))
    return " ".join(_by_what_they_name(words, stand_for))


def _outside_f_strings(node: ast.AST) -> Iterator[ast.AST]:
    """Before Python 3.12, what is in an f-string has no position of its own."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.JoinedStr):
            yield from _outside_f_strings(child)


def _brought_by(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"
        elif alias.asname:
            yield alias.asname, alias.name
        else:
            first = alias.name.partition(".")[0]
            yield first, first


def _says_nothing(node: ast.AST) -> TypeGuard[ast.stmt]:
    """An import, or a text that stands alone as docstrings do."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _start(node: ast.stmt | ast.expr, lines: list[str]) -> Position:
    return node.lineno, _characters(lines[node.lineno - 1], node.col_offset)


def _end(node: ast.stmt | ast.expr, lines: list[str]) -> Position:
    assert node.end_lineno and node.end_col_offset
    return node.end_lineno, _characters(lines[node.end_lineno - 1], node.end_col_offset)


def _characters(line: str, count: int) -> int:
    """How many characters ``count`` bytes are: ast counts these."""
    return len(line.encode()[:count].decode())


def _words(source: str) -> Iterator[Word]:
    """Where each token begins, and the token: without comments, with f-strings in one piece."""
    lines = io.StringIO(source).readlines()
    begun: list[Position] = []  # where each f-string begins that the token is in
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == BEGINS:
            begun.append(token.start)
        elif token.type == ENDS:
            start = begun.pop()
            if not begun:
                yield start, _between(start, token.end, lines)
        elif not begun and token.type not in SKIPPED:
            yield token.start, MARKS.get(token.type, token.string)


def _between(start: Position, end: Position, lines: list[str]) -> str:
    (first, begin), (last, stop) = start, end
    if first == last:
        return lines[first - 1][begin:stop]
    whole = lines[first : last - 1]
    return "".join([lines[first - 1][begin:], *whole, lines[last - 1][:stop]])


def _words_outside(spans: list[tuple[Position, Position]], words: list[Word]) -> Iterator[Word]:
    """The words outside these statements; what ends a statement goes with it."""
    ended = False
    for start, text in words:
        if text not in MARKS.values() and any(begin <= start < end for begin, end in spans):
            ended = True
        elif ended and text in ("<end>", ";"):
            ended = False
        else:
            yield start, text


def _by_what_they_name(words: list[Word], stand_for: dict[Position, str]) -> Iterator[str]:
    """Each word, and in the place of an imported name what it stands for."""
    at = 0
    while at < len(words):
        start, text = words[at]
        at += 1
        path = stand_for.get(start)
        if path is None:
            yield text
            continue
        if path.partition(".")[0] == LIBRARY:
            while _is_module(path) and at + 1 < len(words) and words[at][1] == ".":
                path += f".{words[at + 1][1]}"
                at += 2
            path = path.rpartition(".")[2]
        yield path.replace(".", " . ")


def _is_module(path: str) -> bool:
    place: Path = ROOT.joinpath(*path.split("."))
    return place.is_dir() or place.with_suffix(".py").is_file()
