"""One widget, three places: live in a notebook, on a page without a kernel, as a still picture.

The JavaScript of a widget is one bundle in ``static/``: a script that defines ``widget``. It is
made from the modules in ``widgets_js/`` by ``make widgets``. A notebook is given the bundle with
an export after it, and a page of ``to_html`` the bundle as it is.

Where anywidget is not installed, a widget shows its page instead: it works, but what is chosen
there does not reach Python.
"""

import contextlib
import html
import itertools
import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import traitlets
from ipywidgets import DOMWidget

from course_lib.figures.colours import INK_SHARE, ROLES
from course_lib.figures.site_pages import LIVE_PAGE, LIVE_PAGES

_Base: Any = traitlets.HasTraits
with contextlib.suppress(ImportError):
    from anywidget import AnyWidget as _Base

_live_ids = itertools.count(1)

STATIC = Path(__file__).parent / "static"
HAS_ANYWIDGET = _Base is not traitlets.HasTraits
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
EXPORT = "export default widget;\n"
# The page comes first. Where a part of it is asked for, all must have its height at once.
WHEN_LOADED = (
    'if (document.readyState === "complete" || location.hash) start();\n'
    'else addEventListener("load", () => (window.requestIdleCallback ?? setTimeout)(start));'
)
PAGES = Path(__file__).parent / "pages"
PAGE, LIVE, FRAME = (
    (PAGES / f"{name}.html").read_text(encoding="utf-8") for name in ("page", "live", "frame")
)


@cache
def javascript(name: str) -> str:
    """Return the bundle ``static/name.js`` as a module, for a notebook."""
    return (STATIC / f"{name}.js").read_text(encoding="utf-8") + EXPORT


@cache
def css() -> str:
    """Return the style sheet of all widgets, with the colours of the roles."""
    roles = "".join(f"--{role}:{colour};" for role, colour in ROLES.items())
    sheet = (STATIC / "widgets.css").read_text(encoding="utf-8")
    return f".cw{{{roles}--ink:{INK_SHARE:.0%}}}\n{sheet}"


def json_for_script(value) -> str:
    """Return JSON that can stand in a <script>: it cannot end the script, whatever it holds."""
    text = json.dumps(value, ensure_ascii=True)  # U+2028 and U+2029 become escapes, too
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


class CourseWidget(_Base):
    """A widget with a page and a still picture.

    A subclass sets ``_esm = javascript("its_bundle")`` and ``_data``, tags every other trait that
    its JavaScript reads with ``sync=True, page=True``, and says in ``describe`` and ``still`` what
    it shows.
    """

    _css = css()
    _data = traitlets.Dict().tag(sync=True, page=True)

    def describe(self) -> str:
        """One line that is the same in every run: it stands in the stored notebook."""
        raise NotImplementedError

    def still(self, picture: bool = True) -> str:
        """HTML that shows something true without any script; a page has no room for a picture."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.describe()

    def to_html(self, title: str | None = None) -> str:
        """Return a page that works without a network and without Python.

        Write it to a file: ``Path("map.html").write_text(widget.to_html(), encoding="utf-8")``.
        """
        return PAGE.format(
            title=html.escape(title or type(self).__name__),
            live=self.live_html("widget", "start();"),
        )

    def live_html(self, id: str, when: str = WHEN_LOADED) -> str:
        """Return what a page needs to hold this widget, in an element of that ``id``.

        ``when`` is JavaScript that calls ``start``.
        """
        return LIVE.format(
            id=id,
            css=css(),
            still=self.still(picture=False),
            javascript=self._esm.removesuffix(EXPORT),
            state=json_for_script({name: getattr(self, name) for name in self.traits(page=True)}),
            when=when,
        )

    def _repr_mimebundle_(self, **_) -> tuple[dict, dict]:
        metadata = {}
        if os.environ.get(LIVE_PAGES):
            metadata[LIVE_PAGE] = self.live_html(f"course-widget-{next(_live_ids)}")
        if not HAS_ANYWIDGET:
            page = html.escape(self.to_html(), quote=True)
            frame = FRAME.format(page=page, title=html.escape(type(self).__name__))
            return {"text/plain": self.describe(), "text/html": frame}, metadata
        data = {"text/plain": self.describe(), "text/html": f"<div>{self.still()}</div>"}
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        return data | {WIDGET_VIEW: view}, metadata

    if HAS_ANYWIDGET and hasattr(DOMWidget, "_ipython_display_"):  # ipywidgets 7, as on Colab

        def _ipython_display_(self, **kwargs) -> None:
            from IPython.display import display

            data, metadata = self._repr_mimebundle_()
            if "google.colab" in sys.modules:
                del data["text/html"]  # Colab might prefer the picture to the widget
            display(data, metadata=metadata, raw=True)
            self._handle_displayed(**kwargs)
