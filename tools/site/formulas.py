"""Formulas of the site's pages, drawn when the site is built: no script draws them for the reader.

Sphinx leaves TeX in its pages. MathJax, run once by Node, makes a drawing of each formula, with
MathML beside it for those who listen to the page. What was drawn is kept, so that only new formulas
are drawn the next time.
"""

import html
import json
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

SCRIPT = Path("widgets_js/formulas.mjs")
KEPT = "formulas.json"
HOW_TO_GET_MATHJAX = "MathJax did not draw the formulas; did `npm ci` run in widgets_js?\n{}"

FORMULA = re.compile(
    r'<(?P<tag>span|div) class="math notranslate nohighlight"(?P<id>[^>]*)>'
    r"(?P<before>(?:<span class=\"eqno\">.*?</span>)?)"
    r"\s*\\(?P<kind>[(\[])(?P<tex>.*?)\\[)\]]</(?P=tag)>",
    re.DOTALL,
)
LOADS_MATHJAX = re.compile(
    r"<script>window\.MathJax = .*?</script>\n?|<script[^>]*mathjax[^>]*></script>\n?"
)
GLYPH = re.compile(r'href="#(MJX-[^"]+)"')

Formula = tuple[str, bool]  # TeX, and whether it stands on a line of its own


def formulas_of(page: str) -> set[Formula]:
    return {formula_in(match) for match in FORMULA.finditer(page)}


def formula_in(match: re.Match) -> Formula:
    return html.unescape(match["tex"]).strip(), match["kind"] == "["


@dataclass
class Drawings:
    """Formulas as HTML, and the letters that they refer to."""

    drawn: dict[Formula, str]
    glyphs: dict[str, str]

    def put_into(self, page: str) -> str:
        """Return a page of Sphinx's with drawings in place of TeX, and without MathJax."""

        def drawing(match: re.Match) -> str:
            tag, number = match["tag"], match["before"]
            formula = self.drawn[formula_in(match)]
            return f'<{tag} class="math"{match["id"]}>{number}{formula}</{tag}>'

        page = FORMULA.sub(drawing, LOADS_MATHJAX.sub("", page))
        letters = "".join(self.glyphs[name] for name in sorted(set(GLYPH.findall(page))))
        if not letters:
            return page
        store = f'<svg class="glyphs" aria-hidden="true"><defs>{letters}</defs></svg>'
        return re.sub(r"(<body[^>]*>)", lambda match: match[1] + store, page, count=1)


def draw(formulas: Iterable[Formula], root: Path, build: Path) -> Drawings:
    """Return drawings of these formulas; those that were drawn before come from the folder `build`.

    Raises:
        RuntimeError: MathJax is not there, or cannot read a formula, and says which.
    """
    wanted, kept = sorted(formulas), build / KEPT
    script = (root / SCRIPT).read_text(encoding="utf-8") if wanted else ""
    asked = json.dumps([script, wanted])
    if kept.is_file() and (stored := json.loads(kept.read_text(encoding="utf-8")))[0] == asked:
        answer = stored[1]
    elif wanted:
        done = subprocess.run(
            ["node", str(root / SCRIPT)], input=json.dumps(wanted), capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(HOW_TO_GET_MATHJAX.format(done.stderr.strip()))
        answer = json.loads(done.stdout)
        kept.write_text(json.dumps([asked, answer]), encoding="utf-8")
    else:
        answer = {"drawn": [], "glyphs": {}}
    return Drawings(dict(zip(wanted, answer["drawn"], strict=True)), answer["glyphs"])
