"""On a phone and beside the contents each word of a drawing can be read, and covers no other."""

import re

import pytest

from course_lib.figures import drawings
from tools.site.narrow_drawings import both_forms

# Drawn alone, for no script sees into a <use>. The page's sides are at 0.
PAGE = (
    '<meta charset="utf-8"><style>{style}</style><body style="margin: 0">'
    '<svg class="{form}" viewBox="{box}" style="display: block">{group}</svg></body>'
)
STYLE_AND_GROUP = "<style>(.*)</style>.*<defs>(.*)</defs>"
WORDS = """[...document.querySelectorAll('text')].filter(one => one.getClientRects().length)
.map(one => {
    const {a, b} = one.getScreenCTM(), {left, right, top, bottom} = one.getBoundingClientRect();
    const sizes = [one, ...one.children].map(part => parseFloat(getComputedStyle(part).fontSize));
    const [size, least] = [sizes[0], Math.min(...sizes)].map(size => size * Math.hypot(a, b));
    return [one.textContent, size, least, left, right, top, bottom];
})"""

BOXES = """[...document.querySelectorAll('rect:not(.ground, .band)')]
.map(one => ['left', 'right', 'top', 'bottom'].map(side => one.getBoundingClientRect()[side]))"""


# The room of a lesson on a phone of 360 pixels, and the least that it has beside the contents.
@pytest.mark.parametrize(("form", "width", "height"), [("narrow", 328, 3000), ("wide", 672, 500)])
def test_no_word_is_small_or_cut_or_covered(opened, form, width, height):
    with opened("about:blank", width=width, height=height) as page:
        for name in sorted(set(drawings.__all__) - {"Drawing"}):
            drawn = both_forms(getattr(drawings, name)())
            style, group = re.search(STYLE_AND_GROUP, drawn, re.DOTALL).groups()
            box = re.findall(r'viewBox="([^"]+)"', drawn)[form == "narrow"]
            page.set_content(PAGE.format(style=style, form=form, box=box, group=group))
            words = page.evaluate(WORDS)
            assert len(words) > 20, name
            for text, size, least, left, right, *_ in words:
                is_large = form == "wide" and re.search("[a-z]{2}", text)
                assert size >= (11 if is_large else 10) and least >= 10, (name, text, size, least)
                assert left >= -2 and right <= width + 2, (name, text, left, right)
            boxes = page.evaluate(BOXES)
            for i, (text, _, _, left, right, top, bottom) in enumerate(words):
                for *edges, high, low in boxes:  # no word runs over the edge of its box
                    crossed = [x for x in edges if left < x < right]
                    assert not crossed or not high < (top + bottom) / 2 < low, (name, text)
                for other, _, _, begin, end, high, low in words[:i]:
                    across = min(right, end) - max(left, begin)
                    down = min(bottom, low) - max(top, high)
                    assert min(across, down - 4) < 2, (name, text, other)
