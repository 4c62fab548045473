"""The pictures of the explorer and of a lesson show the controls that these have."""

from tools.site import pictures


def test_the_pictures_show_todays_controls(browser, site, tmp_path):
    page = browser.new_page(viewport={"width": 900, "height": 900})
    pictures.show_heads(page, tmp_path / "heads.html")
    heads = pictures.names_of_controls(page)
    lesson = pictures.show_lesson(page, site).evaluate(pictures.NAMES_OF_CONTROLS)
    for name, names in {"heads": heads, "lesson": lesson}.items():
        shown = (pictures.FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        assert names == shown, "run make pictures"
    page.close()
