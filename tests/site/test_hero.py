"""The front page's first screen says what was measured, and README's picture says the same."""

import json
import re

from tools.site.break_page import read_broken
from tools.site.hero import PICTURE, Story, hero_html, hero_svg

BROKEN = read_broken()


def test_the_sentence_stands_in_the_page_before_any_script():
    page = hero_html()
    sentence = re.sub(r"<[^>]+>", "", re.search(r'hero-sentence">(.*?)</p>', page)[1])
    assert sentence == "The capital of France is Paris. New York City."
    assert page.index("hero-sentence") < page.index("hero.js")
    assert page.count('role="gridcell"') == 270 and page.count("by chance: head") == 20
    assert f"<b>{BROKEN['next'][0][1]:.0%}</b>" in page


def test_its_script_gets_what_was_measured():
    page = hero_html()
    numbers = json.loads(re.search(r'id="hero-numbers">(.*?)</script>', page)[1])
    assert numbers["thousandths"] == BROKEN["thousandths"]
    assert numbers["all"] == round(1000 * BROKEN["next"][0][1])
    assert len(numbers["changed"]["pairs"]) == sum(map(bool, BROKEN["pairs"]))
    first, last = numbers["off"]
    assert numbers["thousandths"]["pairs"][first] == round(1000 * BROKEN["next"][0][2])
    assert numbers["thousandths"]["pairs"][last] == numbers["thousandths"]["alone"][last]
    assert numbers["changed"]["pairs"][str(first)] == "New York City."


def test_what_chance_did_is_counted_and_not_assumed():
    story = Story(BROKEN)
    assert story.chance.startswith("20 other pairs, by chance: nothing happened.")
    heads, _ = BROKEN["draws"][0]
    changed = BROKEN | {"draws": [[heads, [" Rome", "."]], *BROKEN["draws"][1:]]}
    assert "19 of them changed no word" in Story(changed).chance


def test_the_picture_of_readme_is_of_these_numbers_and_light():
    assert PICTURE.read_text(encoding="utf-8") == hero_svg(), "run make pictures"
    assert PICTURE.stat().st_size <= 400_000
    assert "prefers-reduced-motion" in hero_svg() and "iteration" not in hero_svg()  # it plays once
