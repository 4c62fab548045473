"""The pictures of README and docs/ are those of one command, and show the course as it is.

What stands in a picture stands in a text file beside it. The browser tests compare the controls of
the widget and the drawing with live ones.
"""

import re

from tools.notebooks.notebook_files import ROOT
from tools.site import hero
from tools.site.pictures import CARD, FOLDER, PICTURES

AGAIN = "run make pictures"
PICTURE = re.compile(r'!\[([^\]]*)\]\(([^)]+)\)|srcset="([^"]*)"><img alt="([^"]*)" src="([^"]*)">')


def test_one_command_makes_every_picture():
    assert [path for path in (ROOT / "docs").rglob("*.png") if path.parent != FOLDER] == [CARD]
    for ending in (".png", ".txt"):
        assert {path.stem for path in FOLDER.glob(f"*{ending}")} == set(PICTURES), AGAIN


def test_every_picture_is_shown_and_described():
    shown = set()
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for plain, target, dark, words, light in PICTURE.findall(page.read_text(encoding="utf-8")):
            assert len((plain or words).split()) >= 8, (page.name, target or light)
            shown |= {(page.parent / path).resolve() for path in (target, dark, light) if path}
    assert shown == {hero.PICTURE, *(FOLDER / f"{name}.png" for name in PICTURES)}
