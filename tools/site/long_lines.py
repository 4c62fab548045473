"""Long lines of code and prints, which a narrow page breaks.

A long line goes on below itself, farther to the right than it began (site.css): code, and of what
a cell prints what reads as prose, each number beside its word. A row of bare cells stays whole,
for its columns have their names above them: such a table gets smaller letters on a phone, down to
10 pixels, and scrolls where that is not enough.
"""

import html
import re

LONG = 34  # signs that a small phone shows
FITS, WIDE = 50, 56  # signs that a phone of 390 pixels shows of a print, and in 10 pixels
SMALLER = "font-size: clamp(10px, (100vw - 50px) / {:.1f}, 0.85rem)"  # by the signs, 0.602 wide
CODE = re.compile(r'(<div class="([^"]*)"><div class="highlight"><pre)>(.*?)(?=</pre>)', re.DOTALL)
GAP = re.compile(r"(?<=\S) {2,}(?=\S)")  # room to the next column
WORD = re.compile(r"(?!to\b|nan\b)[a-z]{2}")  # "0.1 to 0.2" is one cell


def words_of(marked: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", marked))


def breakable(line: str) -> str:
    """Return a line that knows how far to the right it begins, if it is long."""
    words = words_of(line)
    indent = len(words) - len(words.lstrip())
    return f'<span class="long" style="--in:{indent}">{line}</span>' if len(words) > LONG else line


def is_row(line: str) -> bool:
    """Whether a line is a row of bare cells, all numbers or all words, behind its name."""
    _, *cells = GAP.split(line.strip())
    if not any(map(WORD.search, cells)):
        return bool(cells)
    return len(cells) > 1 and not re.search(r"\d", " ".join(cells))


def is_sentence(line: str) -> bool:
    """Whether a line of a table is none of its rows: no columns, and more letters than digits."""
    letters, digits = (len(re.findall(kind, line)) for kind in ("[A-Za-z]", r"\d"))
    return not GAP.search(line.strip()) and letters > digits


def printed(begin: str, inside: str) -> str:
    """Return what a cell prints, with the beginning of its tag."""
    lines = inside.split("\n")
    words = [*map(words_of, lines)]
    whole = [line for line in words if not is_sentence(line)]
    signs = max(map(len, whole), default=0)
    if not any(map(GAP.search, words)) or (signs > WIDE and not any(map(is_row, words))):
        return f'{begin} class="prose">{inside}'
    style = f' style="{SMALLER.format(0.602 * signs)}"' if signs > FITS else ""
    pairs = zip(lines, words, strict=True)
    shown = [breakable(line) if is_sentence(plain) else line for line, plain in pairs]
    return f"{begin}{style}>" + "\n".join(shown)


def with_breaks(page: str) -> str:
    """Return a page of Sphinx's whose lines can be broken."""

    def broken(match: re.Match) -> str:
        begin, kinds, inside = match.groups()
        if "output" in kinds.split():
            return printed(begin, inside)
        return f"{begin}>" + "\n".join(map(breakable, inside.split("\n")))

    return CODE.sub(broken, page)
