"""What the front page's first screen says of chance, and README's picture of it.

tests/browser/test_front_page.py sees that each press moves the bar to what was measured.
"""

from tools.site.break_page import read_broken
from tools.site.hero import PICTURE, Story, hero_svg

BROKEN = read_broken()


def test_what_chance_did_is_counted_and_not_assumed():
    story = Story(BROKEN)
    assert (story.asked, story.found[:17]) == ("20 other pairs, by chance:", "nothing happened.")
    heads, _ = BROKEN["draws"][0]
    changed = BROKEN | {"draws": [[heads, [" Rome", "."]], *BROKEN["draws"][1:]]}
    assert "19 of them changed no word" in Story(changed).found


def test_the_picture_of_readme_is_of_these_numbers_and_light():
    assert PICTURE.read_text(encoding="utf-8") == hero_svg(), "run make pictures"
    assert PICTURE.stat().st_size <= 400_000
    assert "prefers-reduced-motion" in hero_svg() and "iteration" not in hero_svg()  # it plays once
