"""On a phone each word of a drawing can be read, stands inside the page, and covers no other."""

import re

from course_lib.figures import drawings
from tools.site.narrow_drawings import WIDTH, both_forms

# The room of a lesson on a phone of 360 pixels; drawn alone, for no script sees into a <use>.
PAGE = '<meta charset="utf-8"><style>{style}</style><body style="margin: 16px">{svg}</body>'
WORDS = """[...document.querySelectorAll('text')].filter(one => one.getClientRects().length)
.map(one => {
    const {left, right, top, bottom} = one.getBoundingClientRect();
    const sizes = [one, ...one.children].map(part => parseFloat(getComputedStyle(part).fontSize));
    return [one.textContent, Math.min(...sizes) * one.getScreenCTM().a, left, right, top, bottom];
})"""


def test_no_word_is_small_or_cut_or_covered_at_360(opened, tmp_path):
    file = tmp_path / "drawing.html"
    file.write_text("", encoding="utf-8")
    with opened(file.as_uri(), width=360, height=3000) as page:
        for name in sorted(set(drawings.__all__) - {"Drawing"}):
            drawn = both_forms(getattr(drawings, name)())
            style, group = re.search(
                "<style>(.*)</style>.*<defs>(.*)</defs>", drawn, re.DOTALL
            ).groups()
            height = re.findall(r'viewBox="0 0 \d+ (\d+)"', drawn)[1]
            svg = f'<svg viewBox="0 0 {WIDTH} {height}">{group}</svg>'
            page.set_content(PAGE.format(style=style, svg=svg))
            words = page.evaluate(WORDS)
            assert len(words) > 20, name
            for text, size, left, right, *_ in words:
                assert size >= 10, (name, text, size)
                assert left >= 14 and right <= 346, (name, text, left, right)
            for i, (text, _, left, right, top, bottom) in enumerate(words):
                for other, _, begin, end, high, low in words[:i]:
                    across, down = (
                        min(right, end) - max(left, begin),
                        min(bottom, low) - max(top, high),
                    )
                    assert min(across, down - 4) < 2, (name, text, other)
