"""Pictures of attention: ``attention_heatmap`` of one head, ``head_grid`` of many,
``weight_bars`` of one query, and ``effect_grid`` of what a model loses without each head.

``use_course_style()``, once at the start of a notebook, gives all its figures the course's look.
``drawings`` shows how data flow, one drawing for each lesson; ``colours`` are the course's.
Matplotlib and seaborn are imported with the first map, since drawings and widgets need neither.
"""

from importlib import import_module

_MODULES = {
    "HeadGridFigure": "heatmaps",
    "attention_heatmap": "heatmaps",
    "effect_grid": "heatmaps",
    "head_grid": "heatmaps",
    "use_course_style": "style",
    "weight_bars": "bars",
}
__all__ = list(_MODULES)


def __getattr__(name: str):
    if name in __all__:
        return getattr(import_module(f"course_lib.figures.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
