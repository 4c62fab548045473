"""What is around the pages of the site, light enough for a phone: one style sheet, one script.

Sphinx and its theme ask for some twenty files, and 541 kB of them are a library of icons of which
ten are used. Here what all pages share becomes two files; the icons stand in the pages; and what
the search needs is fetched when somebody searches (docs/_static/site.js).
"""

import base64
import re
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

STYLE, SCRIPT = "_static/shell.css", "_static/shell.js"
STYLES = (  # in the order in which the theme asks for them
    "basic.css",
    "styles/pydata-sphinx-theme.css",
    "pygments.css",
    "styles/sphinx-book-theme.css",
    "mystnb.*.css",
    "roles.css",
    "site.css",
    "look_up.css",
    "break.css",
    "hero.css",
)
SCRIPTS = (
    "doctools.js",
    "sphinx_highlight.js",
    "scripts/sphinx-book-theme.js",
    "site.js",
    "claims.js",
    "scripts/bootstrap.js",
    "scripts/pydata-sphinx-theme.js",
)
GONE = ("styles/theme.css",)  # it only asks for basic.css
SEARCH = ("searchtools.js", "language_data.js", "searchindex.js")  # section_search.py does it
# Of Sphinx's and the theme's files: what no page asks for.
LEFT_OUT = (
    *(f"*{name}" for name in SEARCH),
    "*fontawesome*",
    "*.map",
    "*.LICENSE.txt",
    "_static/locales/*",
    "*-macros.html",
)

# Chevrons and arrows are one stroke; the classes are the theme's, which turns them.
_DRAWN = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'
_SHAPES = {
    "angle-left": f'<path {_DRAWN} stroke-width="2" d="M10 3 5 8l5 5"/>',
    "angle-right": f'<path {_DRAWN} stroke-width="2" d="m6 3 5 5-5 5"/>',
    "chevron-down": f'<path {_DRAWN} stroke-width="2" d="m3 6 5 5 5-5"/>',
    "arrow-up": f'<path {_DRAWN} stroke-width="2" d="M8 13V3M3.5 7.5 8 3l4.5 4.5"/>',
    "bars": f'<path {_DRAWN} stroke-width="1.8" d="M2 3.5h12M2 8h12M2 12.5h12"/>',
    "list": f'<path {_DRAWN} stroke-width="1.8" '
    'd="M6.5 3.5H14M6.5 8H14M6.5 12.5H14M2.3 3.5h.4M2.3 8h.4M2.3 12.5h.4"/>',
    "magnifying-glass": f'<path {_DRAWN} stroke-width="1.8" '
    'd="M10.4 10.4 14 14M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Z"/>',
    "circle-half-stroke": f'<circle {_DRAWN} stroke-width="1.6" cx="8" cy="8" r="6.2"/>'
    '<path fill="currentColor" d="M8 1.8a6.2 6.2 0 0 1 0 12.4Z"/>',
    "sun": f'<path {_DRAWN} stroke-width="1.6" d="M8 1v1.4M8 13.6V15M1 8h1.4M13.6 8H15'
    'M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z"/>',
    "moon": f'<path {_DRAWN} stroke-width="1.6" '
    'd="M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3Z"/>',
}
ICON = re.compile(r'<(i|span) class="([^"]*\bfa-[^"]*)"([^>]*)></\1>')
STYLE_TAG = re.compile(r'[ \t]*<link [^>]*href="[^"]*_static/([^"?]+\.css)[^"]*"[^>]*/?>\n?')
SCRIPT_TAG = re.compile(r'[ \t]*<script[^>]* src="([^"?]+\.js)[^"]*"[^>]*></script>\n?')
CONTENTS_BUTTON = re.compile(r'<button class="[^"]*secondary-toggle.*?</button>', re.DOTALL)
CALLED = {"Toggle primary sidebar": "Lessons", "Toggle secondary sidebar": "Contents"}
PRELOAD = re.compile(r'[ \t]*<link rel="preload" as="script"[^>]*>\n?')
OPTIONS = "documentation_options.js"
# Before the first paint: the page is light or dark at once.
SCHEME = (
    "{ const root = document.documentElement;"
    'if (root.dataset.theme === "auto") root.dataset.theme ='
    ' matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"; }'
)
MARK_TAG = re.compile(r'<link rel="icon" href="[^"]*mark\.svg[^"]*"\s*/?>')
RULE = re.compile(r"([^{}@;]*)\{([^{}]*)\}")
EMPTY = re.compile(r"@(?:media|supports|layer|container)[^{};]*\{\s*\}")
FONT = re.compile(r"@font-face\s*\{[^{}]*\}")
CHOICE = re.compile(r":(?:is|not|where|has)\((?:[^()]|\([^()]*\))*\)")
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
WORD = re.compile(r"-?[A-Za-z_][\w-]*")


def is_left_out(inside: Path) -> bool:
    """Whether a file of the site is not published: it is in the shell, or no page asks for it."""
    name = inside.as_posix()
    parts = [f"_static/{part}" for part in (*STYLES, *GONE, *SCRIPTS, OPTIONS)]
    return any(fnmatch(name, pattern) for pattern in (*parts, *LEFT_OUT))


def icon(match: re.Match) -> str:
    _, classes, attributes = match.groups()
    name = next((name for name in re.findall(r"fa-([a-z-]+)", classes) if name in _SHAPES), None)
    if name is None:
        raise ValueError(f"the site has no icon for {match[0]}: draw one in {__name__}")
    return (
        f'<svg class="icon {classes}"{attributes} viewBox="0 0 16 16" aria-hidden="true">'
        f"{_SHAPES[name]}</svg>"
    )


def light(page: str, static: Path) -> str:
    """Return a page of Sphinx's that asks for the shell's two files in place of the theme's many.

    Args:
        page: its HTML.
        static: the folder _static that Sphinx made.
    """
    page = PRELOAD.sub("", ICON.sub(icon, page))
    if 'class="bd-sidebar-secondary' not in page:
        page = CONTENTS_BUTTON.sub("", page)
    for theirs, ours in CALLED.items():
        page = page.replace(theirs, ours)
    top = re.search(r'data-content_root="([^"]*)"', page)
    if not top:
        return page
    options = (static / OPTIONS).read_text(encoding="utf-8")

    def style(match: re.Match) -> str:
        shared = (*STYLES, *GONE)
        return "" if any(fnmatch(match[1], name) for name in shared) else match[0]

    def script(match: re.Match) -> str:
        name = match[1].rpartition("_static/")[2].removeprefix(top[1])
        if name == OPTIONS:
            return f"<script>{options}</script>\n"
        if name in (*SCRIPTS, *SEARCH) or "fontawesome" in name:
            return ""
        return match[0].replace("<script ", "<script defer ").replace("defer defer", "defer")

    page = STYLE_TAG.sub(style, page)
    page = SCRIPT_TAG.sub(script, page)
    mark = base64.b64encode((static / "mark.svg").read_bytes()).decode()
    page = MARK_TAG.sub(f'<link rel="icon" href="data:image/svg+xml;base64,{mark}">', page)
    shell = (
        f"<script>{SCHEME}</script>\n"
        f'<link rel="stylesheet" href="{top[1]}{STYLE}">\n'
        f'<script defer src="{top[1]}{SCRIPT}"></script>\n'
    )
    return page.replace("</noscript>\n", "</noscript>\n" + shell, 1)


def used_rules(style: str, words: set[str]) -> str:
    """Return the rules of a style sheet that may apply: all their classes are among the words.

    Rules with `:has` go. The theme's are for what no page has, and would make each tap slower.

    Args:
        style: without comments.
        words: all of the pages and of their scripts.
    """

    def is_used(selector: str) -> bool:
        return ":has(" not in selector and words.issuperset(CLASS.findall(CHOICE.sub("", selector)))

    def rule(match: re.Match) -> str:
        selectors, declarations = match.groups()
        if not CLASS.search(selectors):
            return match[0]
        whole = CHOICE.search(selectors) is not None  # it has commas of its own
        parts = [selectors] if whole else selectors.split(",")
        kept = ",".join(part for part in parts if is_used(part))
        return f"{kept}{{{declarations}}}" if kept else ""

    return EMPTY.sub("", RULE.sub(rule, FONT.sub("", style)))


def words_of(texts: Iterable[str]) -> set[str]:
    """Return all words that can be names of classes."""
    return {word for text in texts for word in WORD.findall(text)}


def shell_files(folders: Iterable[Path], words: set[str]) -> dict[Path, str]:
    """Return the shell's style sheet and script by their places in the site.

    Args:
        folders: what is in _static: what Sphinx made, and what the site adds.
        words: of the pages, and of the scripts that are not in the shell.

    Raises:
        FileNotFoundError: the theme has no longer a file of that name.
    """

    def joined(names: tuple[str, ...], between: str) -> str:
        texts = []
        for name in names:
            path = next((path for folder in folders for path in folder.glob(name)), None)
            if path is None:
                raise FileNotFoundError(f"the theme has no {name} any more: see {__name__}")
            texts.append(path.read_text(encoding="utf-8").removeprefix('@charset "UTF-8";'))
        return between.join(texts)

    script = re.sub(r"//# sourceMappingURL=\S+", "", joined(SCRIPTS, "\n;\n"))
    style = re.sub(r"/\*.*?\*/", "", joined(STYLES, "\n"), flags=re.DOTALL)
    style = used_rules(style, words | words_of([script]))
    return {Path(STYLE): style, Path(SCRIPT): script}
