"""The Python of a code cell, without comments and layout."""

import ast
import io
import re
import tokenize

from nbformat import NotebookNode

SHELL_LINE = re.compile(r"^\s*(\w[\w, ]*=\s*)?!", re.MULTILINE)


def code_tokens(source: str) -> list[tokenize.TokenInfo]:
    """Return the tokens of a cell without comments and layout."""
    layout = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    tokens = tokenize.generate_tokens(io.StringIO(_without_magics(source)).readline)
    return [token for token in tokens if token.type not in layout]


def is_python(cell: NotebookNode) -> bool:
    """Whether a code cell holds nothing but Python and line magics."""
    return not cell.source.lstrip().startswith("%%") and not SHELL_LINE.search(cell.source)


def syntax_tree(cell: NotebookNode) -> ast.Module:
    """Return the Python of a cell; that of a cell of another language is empty."""
    return ast.parse(_without_magics(cell.source) if is_python(cell) else "")


def lines_of_code(cell: NotebookNode) -> int:
    """Count the lines that hold more than a comment; 0 for a cell of another language."""
    lines: set[int] = set()
    for token in code_tokens(cell.source) if is_python(cell) else []:
        lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines)


def _without_magics(source: str) -> str:
    """Line magics become empty comments."""
    return re.sub(r"^[ \t]*%.*", "#", source, flags=re.MULTILINE)
