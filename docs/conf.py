"""Sphinx settings of the site. tools/site/build_site.py puts pages together and calls Sphinx."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

project = "How attention works"
html_title = "How attention works"
author = ""
language = "en"
extensions = [
    "myst_nb",
    "sphinx.ext.mathjax",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "tools.notebooks.cell_anchors",
    "tools.site.glossary",
    "tools.site.reference",
]
nitpicky = True

# The notebooks' stored outputs are shown: `make test` compares them with a run.
nb_execution_mode = "off"
nb_render_markdown_format = "myst"
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 4

# The reference of course_lib. Its types are torch's and Python's, whose pages lie elsewhere.
autodoc_default_options = {"members": True}
autodoc_inherit_docstrings = False
autodoc_member_order = "bysource"
autosummary_generate = False
autodoc_typehints_format = "short"
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
nitpick_ignore_regex = [("py:.*", ".*")]
toc_object_entries_show_parents = "hide"

# Pages hold TeX; tools/site/formulas.py draws it when all of them are there, and takes this out.
mathjax_path = "mathjax.js"

html_theme = "sphinx_book_theme"
html_logo = html_favicon = "_static/mark.svg"
html_context = {"default_mode": "auto"}  # light or dark, as the reader's system is
html_theme_options = {
    "logo": {"text": html_title, "alt_text": "A causal map, one of its cells crossed out"},
    "navbar_persistent": [],
    "show_toc_level": 2,
    "show_navbar_depth": 1,
    "navigation_with_keys": False,
    "use_download_button": False,
    "extra_footer": (
        "<p>Lessons, figures and pages are under "
        '<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>, '
        "the code is under the MIT licence.</p>"
    ),
    "use_fullscreen_button": False,
    "back_to_top_button": False,  # it would lie on the text
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_static_path = ["_static"]
html_css_files = ["roles.css", "site.css", "look_up.css", "break.css", "hero.css"]
html_js_files = ["site.js", "claims.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_last_updated_fmt = None
