"""Formulas are drawn when the site is built, each once, and listened to as MathML."""

import pytest

from tools.notebooks.notebook_files import ROOT
from tools.site import formulas
from tools.site.formulas import Drawings, draw, formulas_of

INLINE = r'<span class="math notranslate nohighlight">\(a &lt; b\)</span>'
DISPLAY = '<div class="math notranslate nohighlight" id="e">\n\\[x^2\\]</div>'
LOADS = '<script defer="defer" src="../_static/mathjax.js"></script>'
PAGE = f"<html><head>{LOADS}</head><body><p>{INLINE}</p>{DISPLAY}</body></html>"
WANTED = {("a < b", False), ("x^2", True)}


def test_a_page_says_which_formulas_it_has():
    assert formulas_of(PAGE) == WANTED


def test_drawings_take_the_place_of_tex_and_bring_their_letters_once():
    letter = '<use href="#MJX-x"/>'
    drawings = Drawings({tex: f"<b>{letter}</b>" for tex in WANTED}, {"MJX-x": "X", "MJX-y": "Y"})
    page = drawings.put_into(PAGE)
    assert f'<span class="math"><b>{letter}</b></span>' in page
    assert f'<div class="math" id="e"><b>{letter}</b></div>' in page
    assert "mathjax" not in page and page.count("<defs>X</defs>") == 1
    plain = "<html><body></body></html>"
    assert drawings.put_into(plain) == plain


needs_mathjax = pytest.mark.skipif(
    not (ROOT / "widgets_js" / "node_modules" / "mathjax").is_dir(),
    reason="`make widget-tools` was not run",
)


@needs_mathjax
def test_mathjax_draws_and_what_it_drew_is_kept(tmp_path, monkeypatch):
    drawings = draw(WANTED, ROOT, tmp_path)
    page = drawings.put_into(PAGE)
    assert page.count("<svg") == 3 and "<mo>&lt;</mo>" in page  # the letters' store, and two
    monkeypatch.setattr(formulas.subprocess, "run", None)
    assert draw(WANTED, ROOT, tmp_path) == drawings


@needs_mathjax
def test_a_formula_that_cannot_be_drawn_is_named(tmp_path):
    with pytest.raises(RuntimeError, match=r"cannot be drawn: \\frac\{1"):
        draw([(r"\frac{1", False)], ROOT, tmp_path)
