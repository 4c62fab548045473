"""The front page's first screen, and the README's: a sentence that two heads of 270 carry.

All its numbers are those of docs/broken.json (tools/site/broken.py). It stands in the page as HTML;
docs/_static/hero.js switches the two heads off once, and lets the reader go on. README shows the
same as a picture that moves, docs/pictures/hero.svg.
"""

import base64
import html
import json
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
