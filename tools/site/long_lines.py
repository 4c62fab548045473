"""Long lines of code and prints, which a narrow page breaks.

A long line of code goes on below itself, farther to the right than it began (site.css). What a
cell prints is broken where it is prose; a table, whose columns stand below one another, scrolls.
"""

import html
import re

LONG = 34  # signs that a small phone shows
CODE = re.compile(r'(<div class="([^"]*)"><div class="highlight"><pre)>(.*?)(?=</pre>)', re.DOTALL)
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
        begin, kinds, inside = match.groups()
        if "output" not in kinds.split():
            return f"{begin}>" + "\n".join(map(breakable, inside.split("\n")))
        is_table = TABLE.search(words_of(inside))
        return match[0] if is_table else f'{begin} class="prose">{inside}'

    return CODE.sub(broken, page)
