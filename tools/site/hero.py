"""The front page's first screen, and the README's: a sentence that two heads of 270 carry.

All its numbers are those of docs/broken.json (tools/site/broken.py). It stands in the page as HTML;
docs/_static/hero.js switches the two heads off once, and lets the reader go on. README shows the
same as a picture that moves, docs/pictures/hero.svg.
"""

import base64
import html
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from course_lib.widgets.course_widget import json_for_script
from tools.site.break_page import read_broken
from tools.site.stamp_links import ROOT

LAYERS, HEADS = 30, 9
PICTURE = ROOT / "docs" / "pictures" / "hero.svg"
PLACE = """~~~~~~{{raw}} html
<script type="application/json" id="hero-numbers">{numbers}</script>
<div class="hero" id="hero">
<p class="hero-sentence">{text} <span class="hero-gone">{gone}</span> <span class="hero-fresh">{fresh}</span></p>
<div class="hero-bar"><span>{word}</span><div class="hero-track" style="--all: {all}%"><i style="width: {all}%"></i></div><b>{all:.0f}%</b></div>
<p class="hero-status" role="status">All {count} heads are on.</p>
<div class="hero-strip" tabindex="-1"><div class="hero-board" role="grid" aria-label="the model's {count} heads, by layer">
{board}
</div></div>
<div class="hero-chance"><p>{chance}</p><div class="hero-pairs" role="group" aria-label="pairs by chance">{pairs}</div></div>
<p class="course-buttons"><button type="button" class="course-button" id="hero-switch">Switch two off</button> <a class="course-button" id="hero-further" href="docs/break.html{address}">Break it yourself</a></p>
<p class="hero-caption">A square is a head of a real language model, SmolLM2: {layers} layers from left to right, {heads} heads in each. The darker it is, the more the next word hangs on it. Press one.</p>
<noscript><p>{told}</p></noscript>
</div>
<script src="_static/hero.js" defer></script>
~~~~~~"""


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
    def chance(self) -> str:
        """What as many others by chance did, in a line."""
        same = sum(words is None for _, words in self.broken["draws"])
        number, each = len(self.draws), self.thousandths["draws"]
        range_of = f"{self.word} kept {min(each) / 10:.0f}% to {max(each) / 10:.0f}%"
        what = "nothing happened" if same == number else f"{same} of them changed no word"
        return f"{number} other pairs, by chance: {what}. {range_of}."

    @property
    def told(self) -> str:
        names = " and ".join(f"head {head} of layer {layer}" for layer, head in self.broken["off"])
        return f'Without {names} it says "{self.fresh}" instead.'

    def shade(self, head: int) -> int:
        """Percent of ink for a head: the strongest of all has most, and small ones can be seen."""
        return round(90 * (self.effects[head] / max(self.effects)) ** 0.7)


def whole(words: str) -> str:
    """What was written, with a sign where it was cut."""
    words = words.strip()
    return words if words.endswith((".", "!", "?")) else f"{words} …"


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
    return (
        f'<button type="button" role="gridcell" tabindex="-1" style="--e:{story.shade(head)}%" '
        f'title="head {number} of layer {layer}; off alone, {story.word} has {left:.0f}%"></button>'
    )


def hero_html() -> str:
    """Return the hero for the front page, with all heads on."""
    story = Story(read_broken())
    rows = [
        '<div role="row">'
        + "".join(square(story, layer * HEADS + head) for layer in range(LAYERS))
        + "</div>"
        for head in range(HEADS)
    ]
    pairs = [
        f'<button type="button" tabindex="-1" title="pair {i + 1} by chance: {named(pair)}"></button>'
        for i, pair in enumerate(story.draws)
    ]
    off = ",".join(f"{layer}.{head}" for layer, head in story.broken["off"])
    return PLACE.format(
        numbers=json_for_script(numbers(story)),
        text=html.escape(story.text),
        gone=html.escape(story.gone),
        fresh=html.escape(story.fresh),
        word=html.escape(story.word),
        all=100 * story.all,
        count=LAYERS * HEADS,
        layers=LAYERS,
        heads=HEADS,
        board="\n".join(rows),
        chance=html.escape(story.chance),
        pairs="".join(pairs),
        address=html.escape("#" + urlencode({"text": story.text, "off": off})),
        told=html.escape(story.told),
    )


def named(pair: Sequence[int]) -> str:
    return " and ".join(f"head {head % HEADS} of layer {head // HEADS}" for head in pair)


# ---------------------------------------------------------------- README's picture

WIDE, HIGH = 900, 492
LEFT, TOP = 17, 178  # of the squares
SIDE, STEP = 25, 29  # of a square, and from one to the next
BAR_LEFT, BAR = 76, 736
GONE = 132  # how wide the first word is
# When what happens, in seconds: each of the two heads goes out, then the pairs by chance come.
FIRST, EACH, PAIR = 1.2, 1.2, 0.06
STYLE = """
text { font: 16px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2430 }
.say { font: 500 46px Georgia, "Iowan Old Style", Palatino, serif }
.number { font: 600 24px Georgia, "Iowan Old Style", Palatino, serif; text-anchor: end }
.ink { fill: #1f2430 } .paper { fill: #fff } .red, text.red { fill: #b3261e }
.cross { fill: none; stroke: #b3261e; stroke-width: 2.4 } .tick { stroke: #59616f; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
text, .ink { fill: #ece8df } .paper { fill: #0d1117 } .red, text.red { fill: #ff8f84 } .cross { stroke: #ff8f84 } .tick { stroke: #a9b0ba }
}
.comes { animation: comes .4s both } .goes { animation: goes .3s both } .draws { animation: draws .4s both }
@keyframes comes { from { opacity: 0 } } @keyframes goes { to { opacity: 0 } } @keyframes draws { from { transform: scaleX(0) } }
"""
CALM = "@media (prefers-reduced-motion: reduce) { * { animation-duration: 1ms !important; animation-delay: 0s !important } }"


def at(seconds: float) -> str:
    return f'style="animation-delay:{seconds:.2f}s"'


def hero_svg() -> str:
    """Return the hero as a picture that plays once: two heads go out, and the bar falls."""
    story = Story(read_broken())
    first, last = story.off[0], FIRST + EACH * (len(story.off) - 1)
    shares = [story.all, story.thousandths["alone"][first] / 1000, story.without]
    squares, crosses = [], []
    for head in range(LAYERS * HEADS):
        layer, number = divmod(head, HEADS)
        x, y = LEFT + layer * STEP, TOP + number * STEP
        box = f'x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" rx="4"'
        squares.append(f'<rect {box} fill-opacity="{0.06 + 0.94 * story.shade(head) / 100:.2f}"/>')
        if head in story.off:
            cross = f'<rect {box}/><path d="M{x + 6} {y + 6}l13 13m0-13-13 13"/>'
            moment = at(FIRST + EACH * story.off.index(head))
            crosses.append(
                f'<g class="comes" {moment}><rect {box} class="paper"/><g class="cross">{cross}</g></g>'
            )
    stops = (0, 35, 50, 85)  # percent of the way: all on, one out, still one out, both out
    falls = "".join(
        f"{stop}% {{ transform: scaleX({share:.3f}) }} "
        for stop, share in zip(stops, (shares[0], shares[1], shares[1], shares[2]), strict=True)
    )
    fall = (
        f"@keyframes falls {{ {falls}to {{ transform: scaleX({shares[2]:.3f}) }} }} "
        f".falls {{ transform-origin: {BAR_LEFT}px 0; animation: falls {2 * EACH}s {FIRST}s both }}"
    )
    moments = [0.0, FIRST + 0.3, last + 0.3]
    percents = ""
    for i, share in enumerate(shares):
        number = f'<text class="number{" red" if i == 2 else ""}" x="{WIDE - LEFT}" y="150">{100 * share:.0f}%</text>'
        if i < 2:  # it goes when the next one comes
            number = f'<g class="goes" {at(moments[i + 1])}>{number}</g>'
        percents += f'<g class="comes" {at(moments[i])}>{number}</g>\n'
    pairs = "".join(
        f'<rect class="ink comes" x="{WIDE - LEFT - 20 * (len(story.draws) - i) + 8}" y="461" width="12" height="12" '
        f'rx="3" fill-opacity=".35" {at(last + 1.2 + PAIR * i)}/>'
        for i in range(len(story.draws))
    )
    said = html.escape(f"{story.text} {story.gone} {story.told} {story.chance}", quote=True)
    tick = BAR_LEFT + BAR * shares[0]
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{said}">
<style>{STYLE}{fall}
{CALM}</style>
<text class="say" x="{LEFT}" y="48">{html.escape(story.text)}</text>
<text class="say" x="{LEFT}" y="104" textLength="{GONE}" lengthAdjust="spacingAndGlyphs">{html.escape(story.gone)}</text>
<rect class="red draws" x="{LEFT}" y="90" width="{GONE}" height="3" style="transform-origin:{LEFT}px 0;animation-delay:{last + 0.3:.2f}s"/>
<text class="say red comes" x="{LEFT + GONE + 16}" y="104" {at(last + 0.6)}>{html.escape(story.fresh)}</text>
<text x="{LEFT}" y="147">{html.escape(story.word)}</text>
<rect class="ink" x="{BAR_LEFT}" y="134" width="{BAR}" height="14" rx="7" fill-opacity=".1"/>
<rect class="ink falls" x="{BAR_LEFT}" y="134" width="{BAR}" height="14" rx="5"/>
<g class="comes" {at(last + 0.3)}><rect class="red falls" x="{BAR_LEFT}" y="134" width="{BAR}" height="14" rx="5"/></g>
<path class="tick" d="M{tick:.0f} 129v24"/>
{percents}
<g class="ink">
{"".join(squares)}
</g>
{"".join(crosses)}
<text class="comes" x="{LEFT}" y="473" {at(last + 1.2)}>{html.escape(story.chance.split(". ")[0])}</text>
{pairs}
</svg>
"""
