"""One row of attention weights as bars, in the colours that the same weights have in a map."""

from collections.abc import Sequence

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from course_lib.figures.map_text import SMALLEST, WORTH_WRITING
from course_lib.figures.style import QUIET, course_style
from course_lib.validation.layer_inputs import check_flags
from course_lib.validation.maps import checked_labels, checked_weights


def weight_bars(
    weights,
    key_labels: Sequence | None = None,
    *,
    title: str | None = None,
    annotate: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the weights of one query: a bar for each key, on an axis from 0 to 1.

    Args:
        weights: (key_len,), a tensor on any device, an array or a list, which sums to 1 (or to 0)
            within 1/256.
        key_labels: key_len tokens; positions when it is None.
        title: stands above the bars.
        annotate: True writes the number of each bar, False none; None those of 0.2 and more.
        ax: draw here; a new figure when it is None.

    Returns:
        The Axes; its figure is ``ax.figure``.

    Raises:
        TypeError, ValueError: weights, labels or annotate that ``attention_heatmap`` refuses.
    """
    weights = checked_weights(weights, ("key_len",))
    _, labels = checked_labels(None, key_labels, 1, len(weights))
    smallest = WORTH_WRITING
    if annotate is not None:
        check_flags(annotate=annotate)
        smallest = 0.0 if annotate else 2.0
    with course_style():
        if ax is None:
            ax = plt.figure(figsize=(0.5 * len(labels) + 1.4, 2.6)).add_subplot()
        colours = mpl.colormaps["course_weights"](weights)
        places = range(len(labels))
        bars = ax.bar(places, weights, color=colours, edgecolor=QUIET, linewidth=0.5)
        numbers = [f"{weight:.2f}" if weight >= smallest else "" for weight in weights]
        ax.bar_label(bars, numbers, padding=2, fontsize=SMALLEST)
        is_wide = sum(map(len, labels)) > 24
        ax.set_xticks(places, labels, rotation=90 if is_wide else 0, parse_math=False)
        ax.set(ylim=(0, 1.08), yticks=(0, 0.5, 1), ylabel="weight")
        if title is not None:
            ax.set_title(title, parse_math=False)
    return ax
