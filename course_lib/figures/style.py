"""The look of the course's figures: ``use_course_style()``, once in a lesson, is all it takes.

Four sizes of text, no frames, a light grid for reading numbers off, and widths that fit a
notebook's column: ``course.mplstyle``. A notebook then stores a figure as one picture with two
dots for each dot of the screen. It is drawn on white; a dark page shows it inverted, hues kept, so
that its ground is the page there too. Weights keep their colours (``colours.WEIGHTS`` is made for
this).

Two names for ``cmap=``: ``course_weights`` is for attention weights from 0 to 1 and for nothing
else, ``course_effects`` for what has a sign, such as an effect.
"""

import base64
import io
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import seaborn as sns
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.text import Text
from PIL import Image

from course_lib.figures.colours import DARK_FILTER, DARK_PAGES, EFFECTS, WEIGHTS
from course_lib.figures.site_pages import LIVE_PAGES, WHOLE_FIGURE

LOOK = dict(
    mpl.rc_params_from_file(Path(__file__).parent / "course.mplstyle", use_default_template=False)
)
COLUMN = LOOK["figure.figsize"][0]  # inches: the width of a notebook's column
AXIS, LABEL, NOTE = LOOK["axes.labelsize"], LOOK["font.size"], 8.5  # sizes of text, in points
QUIET, GRID = LOOK["axes.edgecolor"], LOOK["grid.color"]  # what stands back, lines of a grid
EXACT = 200  # of the 256 colours of a stored picture: more than a scale has
FONTS = ("Arial", "Liberation Sans", "DejaVu Sans")  # those that are there; the last one always is
_SHOWN = (
    ".course-figure { height: auto; max-width: 100%; }\n"
    + ", ".join(f"{page} .course-figure" for page in DARK_PAGES)
    + f" {{ filter: {DARK_FILTER}; }}"
)

for _name, _colours in (("course_weights", WEIGHTS), ("course_effects", EFFECTS)):
    if _name not in mpl.colormaps:
        _shades = [f"#{colour}" for colour in _colours["light"].split()]
        mpl.colormaps.register(LinearSegmentedColormap.from_list(_name, _shades, N=101))


def _look() -> dict[Any, Any]:
    """The settings of matplotlib that make the look."""
    installed = set(fontManager.get_font_names())
    fonts = [name for name in FONTS if name in installed]
    return sns.axes_style("white") | LOOK | {"font.family": fonts}


def use_course_style() -> None:
    """Give all figures from here on the look of the course, and notebooks their two forms.

    Outside of a notebook it only sets matplotlib's settings; ``matplotlib.rcdefaults()`` takes
    them back.
    """
    mpl.rcParams.update(_look())
    try:
        from IPython import get_ipython
    except ImportError:
        return
    shell = get_ipython()
    if shell is None:
        return
    from matplotlib_inline.config import InlineBackend

    InlineBackend.instance(parent=shell).figure_formats = set()  # no second picture beside ours
    shell.display_formatter.formatters["image/png"].type_printers.pop(Figure, None)
    shell.display_formatter.formatters["text/html"].for_type(Figure, _shown)


@contextmanager
def course_style() -> Iterator[None]:
    """Within it, what is drawn has the look; all other settings stay free to change.

    (``matplotlib.rc_context`` would also take back what a notebook sets with its first figure.)
    """
    look = _look()
    before = {name: mpl.rcParams[name] for name in look}
    mpl.rcParams.update(look)
    try:
        yield
    finally:
        mpl.rcParams.update(before)


def _shown(figure: Figure) -> str | tuple[str, dict]:
    """The figure as a notebook shows it; a run for the site hands itself over as well."""
    html = figure_html(figure)
    if not os.environ.get(LIVE_PAGES):
        return html
    return html, {WHOLE_FIGURE: base64.b64encode(pickle.dumps(figure)).decode()}


def figure_html(figure: Figure) -> str:
    """The figure as a notebook shows it: one image that fits light and dark pages.

    Its alternative text are the titles in the figure, or what its axes say where it has none.
    """
    if title := figure.get_suptitle():  # it begins where the first panel does, and alone is bold
        for ax in figure.axes:
            for text in ax.findobj(Text):
                if text.get_text() in (ax.get_title("left"), ax.get_title("center")):
                    text.set_fontweight("normal")
        figure.draw_without_rendering()
        figure.suptitle(title, x=min(ax.get_position().x0 for ax in figure.axes), ha="left")
    width, picture = small_png(figure)
    source = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    axes = figure.axes
    titles = [title, *(ax.get_title(at) for ax in axes for at in ("left", "center"))]
    sides = [f"{ax.get_ylabel()} against {ax.get_xlabel()}" for ax in axes if ax.get_xlabel()]
    words = [" ".join(title.split()) for title in titles if title] or sides
    spoken = "Figure: " + "; ".join(dict.fromkeys(words)) if words else "Figure"
    spoken = escape(spoken, quote=True)
    return (
        f"<style>\n{_SHOWN}\n</style>\n"
        f'<img class="course-figure" width="{width}" alt="{spoken}" src="{source}">'
    )


def small_png(figure: Figure) -> tuple[int, bytes]:
    """The width on the page in CSS pixels, and the picture in 256 colours.

    The largest areas keep their exact colours; each other colour, most of them at the edges of
    letters, becomes the nearest of the 256.
    """
    drawn = io.BytesIO()
    margins: dict[str, Any] = {"bbox_inches": "tight", "pad_inches": 0.04, "facecolor": "white"}
    figure.savefig(drawn, format="png", dpi=LOOK["savefig.dpi"], **margins)
    pixels = np.asarray(Image.open(drawn).convert("RGB")).astype(np.int32)  # (height, width, 3)
    packed = pixels[..., 0] << 16 | pixels[..., 1] << 8 | pixels[..., 2]
    colours, where, counts = np.unique(packed, return_inverse=True, return_counts=True)
    rgb = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.uint8)
    order = np.argsort(-counts, kind="stable")
    exact, others = order[:EXACT], order[EXACT:]
    index = np.zeros(len(colours), dtype=np.uint8)
    index[exact] = np.arange(len(exact))
    palette = rgb[exact]
    if len(others):
        few = Image.fromarray(rgb[others][None]).quantize(256 - EXACT, Image.Quantize.MEDIANCUT)
        few_colours = np.reshape(few.getpalette() or [], (-1, 3))
        palette = np.concatenate([palette, few_colours])[:256]
        apart = rgb[others][:, None].astype(np.int32) - palette  # (others, palette, 3)
        index[others] = (apart**2).sum(axis=-1).argmin(axis=1)
    image = Image.fromarray(index[where].reshape(packed.shape), mode="P")
    image.putpalette(palette.astype(np.uint8).tobytes())
    small = io.BytesIO()
    image.save(small, format="png", optimize=True)
    return round(packed.shape[1] / 2), small.getvalue()
