"""What the site's pages take from "Break the model": its stored sentence, and the script.

A page holds ``{{ broken }}`` where the heads and the sentence go. Without scripts the sentence
stands there as text. In place of ``{{ elsewhere }}`` comes a table of what the same heads do to
other sentences, in place of ``{{ card }}`` the address of the picture that a link is shown with.
"""

import html
import json
from pathlib import Path

from course_lib.data.real_model import SMOLLM2
from course_lib.widgets.course_widget import css, json_for_script
from tools.notebooks.notebook_files import ROOT
from tools.site.bets import bets_stored
from tools.site.broken import BROKEN
from tools.site.habits import HABITS
from tools.site.stamp_links import Project

LOADS = 'data-break="page"'
HERE = "data-break-here"
# Above the lab of a lesson: docs/_static/lab_here.js puts the same board in its place.
IN_A_LESSON = f"""<p class="run-here">
<button type="button" class="course-button" {HERE}="../docs/break.html">Run the model</button>
<span>The lab shows stored runs. The model takes {round(SMOLLM2.file_bytes / 1e6)} MB, which
this browser keeps. Any sentence and any heads can be tried then.</span></p>
<script src="../_static/lab_here.js" defer></script>"""
BOARD = "{{ broken }}"
ELSEWHERE = "{{ elsewhere }}"
PLACE = """~~~~~~{{raw}} html
<style>
{css}</style>
<script type="application/json" id="broken-sentence">{data}</script>
<div data-break="page" data-base="{top}/_static/breaker/" data-bytes="{bytes}">
<p class="cw-sentence">{text} <del>{gone}</del> <ins>{fresh}</ins></p>
<p>{off} of 270 heads are off; {same} of {draws} draws of as many other heads changed nothing.</p>
</div>
<script src="{top}/_static/breaker/page.js" defer></script>
~~~~~~"""

BETS_PLACE = """~~~~~~{{raw}} html
<style>
{css}</style>
<script type="application/json" id="the-bets">{data}</script>
<div id="bets"><p>The bets need JavaScript.</p></div>
<script src="../_static/breaker/bets.js" defer></script>
~~~~~~"""


def read_broken(root: Path = ROOT) -> dict:
    """Return the stored sentence: see broken.py."""
    return json.loads((root / BROKEN).read_text(encoding="utf-8"))


def whole(words: str) -> str:
    """What was written, with a sign where it was cut."""
    words = words.strip()
    return words if words.endswith((".", "!", "?")) else f"{words.rstrip(' (,;:')} …"


def filled(page: str, top: str, project: Project) -> str:
    """Return a page with the board in place of its blank.

    Args:
        page: Markdown.
        top: the way from the page to the site's first folder.
        project: whose site's address is in a picture's, which other sites need whole.
    """
    page = page.replace("{{ card }}", f"{project.site or top + '/'}_static/card.png")
    made = ((BOARD, lambda: board(top)), (ELSEWHERE, elsewhere), ("{{ bets }}", bets))
    for blank, text_of in made:
        if blank in page:
            page = page.replace(blank, text_of())
    return page


def board(top: str) -> str:
    """Return the place of the board, with the stored sentence; ``top`` as in ``filled``."""
    broken = read_broken()
    return PLACE.format(
        css=css(),
        data=json_for_script(broken | {"habits": json.loads(HABITS.read_text(encoding="utf-8"))}),
        top=top,
        bytes=SMOLLM2.file_bytes,
        text=html.escape(broken["text"]),
        gone=html.escape(whole("".join(broken["words"]))),
        fresh=html.escape(whole("".join(broken["without"]))),
        off=len(broken["off"]),
        same=sum(words is None for _, words in broken["draws"]),
        draws=len(broken["draws"]),
    )


def bets() -> str:
    """Return the place of "Caption or chance?" with its maps: see bets.py."""
    return BETS_PLACE.format(css=css(), data=json_for_script(bets_stored()))


def elsewhere() -> str:
    """Return a table of other sentences: what the model writes with all heads, and without."""
    rows = ["| Sentence | All heads on | The two off |", "| --- | --- | --- |"]
    rows += [
        f"| {text} | {whole(before)} | {whole(without)} |"
        for text, before, without in read_broken()["elsewhere"]
    ]
    return "\n".join(rows)
