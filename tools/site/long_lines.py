"""Long lines of code and prints, which a narrow page breaks.

A long line of code goes on below itself, farther to the right than it began (site.css). What a
cell prints is broken where it is prose; a table, whose columns stand below one another, scrolls.
"""

import html
import re

LONG = 34  # signs that a small phone shows
CODE = re.compile(r'<div class="([^"]*)"><div class="highlight"><pre>(.*?)</pre>', re.DOTALL)
TABLE = re.compile(r"\S {2,}\S")  # words, and room to the next column


def words_of(marked: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", marked))


def breakable(line: str) -> str:
    """Return a line of code that knows how far to the right it begins, if it is long."""
    words = words_of(line)
    indent = len(words) - len(words.lstrip())
    return f'<span class="long" style="--in:{indent}">{line}</span>' if len(words) > LONG else line


def with_breaks(page: str) -> str:
    """Return a page of Sphinx's whose lines can be broken."""

    def broken(match: re.Match) -> str:
        if "output" not in match[1].split():
            return match[0].replace(match[2], "\n".join(map(breakable, match[2].split("\n"))))
        is_table = TABLE.search(words_of(match[2]))
        return match[0] if is_table else match[0].replace("<pre>", '<pre class="prose">', 1)

    return CODE.sub(broken, page)
