"""The front page's first screen, and the README's: a sentence that two heads of 270 carry.

All its numbers are those of docs/broken.json (tools/site/broken.py). It stands in the page as HTML;
docs/_static/hero.js switches the two heads off once, and lets the reader go on. README shows the
same as a picture that moves, docs/pictures/hero.svg.
"""

import base64
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from course_lib.figures.colours import EFFECTS, PAGES
from course_lib.widgets.course_widget import json_for_script
from tools.site.break_page import read_broken, whole
from tools.site.stamp_links import ROOT
from tools.site.syllabus import LESSONS

LAYERS, HEADS = 30, 9
EFFECT_COLOUR = {page: f"#{EFFECTS[page].split()[0]}" for page in PAGES}  # of the largest one
TEMPLATES = "docs/_templates"
PICTURE = ROOT / "docs" / "pictures" / "hero.svg"


@dataclass
class Story:
    """The numbers of the hero: percent of the first word, and what is written."""

    broken: dict

    def __post_init__(self) -> None:
        stored = self.broken
        self.text: str = stored["text"]
        self.off = [layer * HEADS + head for layer, head in stored["off"]]
        self.word = stored["words"][0].strip()
        self.gone = whole("".join(stored["words"]))
        self.fresh = whole("".join(stored["without"]))
        self.thousandths: dict[str, list[int]] = stored["thousandths"]
        (_, self.all, self.without, *_), *_ = stored["next"]
        self.effects = list(base64.b64decode(stored["scores"]["effect when off"]))
        self.draws = [
            [layer * HEADS + head for layer, head in heads] for heads, _ in stored["draws"]
        ]

    @property
    def asked(self) -> str:
        """What was tried beside them."""
        return f"{len(self.draws)} other pairs, by chance:"

    @property
    def found(self) -> str:
        """What came of it."""
        same = sum(words is None for _, words in self.broken["draws"])
        number, each = len(self.draws), self.thousandths["draws"]
        what = "nothing happened" if same == number else f"{same} of them changed no word"
        return f"{what}. {self.word} kept {min(each) / 10:.0f}% to {max(each) / 10:.0f}%."

    @property
    def told(self) -> str:
        names = " and ".join(f"head {head} of layer {layer}" for layer, head in self.broken["off"])
        return f'Without {names} it says "{self.fresh}" instead.'

    def shade(self, head: int) -> float:
        """How strongly a head is coloured, from 0 to 1: by the root of its effect.

        The effect is how much of the next word's probability moves without this head alone.
        """
        return (self.effects[head] / 255) ** 0.5


def numbers(story: Story) -> dict:
    """Return what the script needs: see docs/_static/hero.js."""
    changed = {
        kind: {i: whole("".join(words)) for i, words in enumerate(story.broken[kind]) if words}
        for kind in ("alone", "pairs")
    }
    return {
        "text": story.text,
        "off": story.off,
        "all": round(1000 * story.all),
        "thousandths": story.thousandths,
        "changed": changed,
        "draws": story.draws,
    }


def square(story: Story, head: int) -> str:
    layer, number = divmod(head, HEADS)
    left = story.thousandths["alone"][head] / 10
    shade = f"--e:{100 * story.shade(head):.0f}%"
    return (
        f'<button type="button" role="gridcell" tabindex="-1" style="{shade}" '
        f'title="head {number} of layer {layer}; off alone, {story.word} has {left:.0f}%"></button>'
    )


def board(story: Story) -> str:
    """Return the heads, a column for each layer, with their numbers before each half of these."""
    numbers = "".join(f"<span>{head}</span>" for head in range(HEADS))
    names = f'<div class="hero-names" aria-hidden="true"><span></span>{numbers}</div>'
    columns = [
        f'<div role="row"><span role="rowheader" aria-label="layer {layer}">{layer}</span>'
        + "".join(square(story, layer * HEADS + head) for head in range(HEADS))
        + "</div>"
        for layer in range(LAYERS)
    ]
    return "\n".join([names, *columns[: LAYERS // 2], names, *columns[LAYERS // 2 :]])


def named(pair: Sequence[int]) -> str:
    return " and ".join(f"head {head % HEADS} of layer {head // HEADS}" for head in pair)


def filled(template: str, **blanks: object) -> str:
    """Return a template of docs/_templates with each {{ name }} filled in, as text of HTML."""
    text = (ROOT / TEMPLATES / template).read_text(encoding="utf-8")

    def blank(match: re.Match) -> str:
        value = blanks[match[1]]
        return value if isinstance(value, Markup) else html.escape(str(value))

    return re.sub(r"\{\{ (\w+) \}\}", blank, text).strip()


class Markup(str):
    """Text that is HTML already."""


def hero_html() -> str:
    """Return the hero for the front page, with all heads on."""
    story = Story(read_broken())
    shares = [left / 10 for left in story.thousandths["draws"]]
    pairs = [
        f'<button type="button" tabindex="-1" title="pair {i + 1} by chance: {named(pair)}; '
        f'without them, {story.word} has {share:.0f}%"></button>'
        for i, (pair, share) in enumerate(zip(story.draws, shares, strict=True))
    ]
    off = ",".join(f"{layer}.{head}" for layer, head in story.broken["off"])
    page = filled(
        "hero.html",
        numbers=Markup(json_for_script(numbers(story))),
        text=story.text,
        gone=story.gone,
        fresh=story.fresh,
        word=story.word,
        all=100 * story.all,
        percent=f"{100 * story.all:.0f}",
        count=LAYERS * HEADS,
        layers=LAYERS,
        heads=HEADS,
        board=Markup(board(story)),
        asked=story.asked,
        found=story.found,
        pairs=Markup("".join(pairs)),
        ticks=Markup("".join(f'<span style="--at:{share}%"></span>' for share in shares)),
        least=min(shares),
        first=f"notebooks/{LESSONS['00'].name}.html",
        address="#" + urlencode({"text": story.text, "off": off}),
        told=story.told,
    )
    return f"~~~~~~{{raw}} html\n{page}\n~~~~~~"


# ---------------------------------------------------------------- README's picture

LEFT, TOP, RIGHT = 15, 206, 582  # of the squares
SIDE, STEP = 16, 19  # of a square, and from one to the next
BAR_LEFT, BAR = 66, 440
# When what happens, in seconds: each of the two heads goes out, then the pairs by chance come.
FIRST, EACH, PAIR = 1.2, 1.2, 0.06


def at(seconds: float) -> str:
    return f'style="animation-delay:{seconds:.2f}s"'


def hero_svg() -> str:
    """Return the hero as a picture that plays once: two heads go out, and the bar falls."""
    story = Story(read_broken())
    last = FIRST + EACH * (len(story.off) - 1)
    one_off = story.thousandths["alone"][story.off[0]] / 1000
    shares = {0: story.all, 35: one_off, 50: one_off, 85: story.without, 100: story.without}
    falls = [f"{percent}% {{ transform: scaleX({left:.3f}) }} " for percent, left in shares.items()]
    squares, crosses = [], []
    for head in range(LAYERS * HEADS):
        layer, number = divmod(head, HEADS)
        x, y = LEFT + layer * STEP, TOP + number * STEP
        box = f'x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" rx="3"'
        squares.append(f'<rect {box} fill-opacity="{story.shade(head):.3f}"/>')
        if head in story.off:
            moment = at(FIRST + EACH * story.off.index(head))
            crosses.append(
                f'<g class="comes" {moment}><rect {box} class="paper"/><g class="cross">'
                f'<rect {box}/><path d="M{x + 4} {y + 4}l8 8m0-8-8 8"/></g>'
                f'<text class="small red" x="{x + SIDE / 2}" y="398" text-anchor="middle">'
                f"head {number} of layer {layer}</text></g>"
            )
    moments, percents = [0.0, FIRST + 0.3, last + 0.3], ""
    for i, share in enumerate((story.all, one_off, story.without)):
        kind = "number" if i < 2 else "number red"
        label = f'<text class="{kind}" x="{RIGHT}" y="142">{100 * share:.0f}%</text>'
        if i < 2:  # it goes when the next one comes
            label = f'<g class="goes at-once" {at(moments[i + 1])}>{label}</g>'
        percents += f'<g class="comes at-once" {at(moments[i])}>{label}</g>\n'
    pairs = [
        f'<rect class="ink comes" x="{LEFT + STEP * i}" y="438" width="{SIDE}" height="{SIDE}" '
        f'rx="3" fill-opacity=".35" {at(last + 1.2 + PAIR * i)}/>'
        for i in range(len(story.draws))
    ]
    return filled(
        "hero.svg",
        effect=EFFECT_COLOUR["light"],
        effect_in_the_dark=EFFECT_COLOUR["dark"],
        story=f"{story.text} {story.gone} {story.told} {story.asked} {story.found}",
        text=story.text,
        gone=story.gone,
        fresh=story.fresh,
        word=story.word,
        asked=story.asked,
        found=story.found.split(". ")[0],
        count=LAYERS * HEADS,
        layers=LAYERS,
        heads=HEADS,
        first=FIRST,
        falling=2 * EACH,
        falls=Markup("".join(falls)),
        broken=f"{last + 0.3:.2f}",
        fresh_at=f"{last + 0.6:.2f}",
        chance_at=f"{last + 1.2:.2f}",
        found_at=f"{last + 1.5 + PAIR * len(story.draws):.2f}",
        bar_left=BAR_LEFT,
        bar=BAR,
        tick=f"{BAR_LEFT + BAR * story.all:.0f}",
        percent=f"{100 * story.all:.0f}",
        percents=Markup(percents),
        squares=Markup("".join(squares)),
        crosses=Markup("".join(crosses)),
        pairs=Markup("".join(pairs)),
    )
