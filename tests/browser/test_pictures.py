"""The picture of the explorer shows the controls that the explorer has."""

from tools.site.pictures import FOLDER, names_of_controls, show_heads


def test_the_picture_of_the_heads_shows_todays_controls(browser, tmp_path):
    page = browser.new_page(viewport={"width": 900, "height": 900})
    show_heads(page, tmp_path / "heads.html")
    shown = (FOLDER / "heads.txt").read_text(encoding="utf-8").splitlines()
    assert names_of_controls(page) == shown, "run make pictures"
    page.close()
