"""Pictures of attention: ``attention_heatmap`` of one head, ``head_grid`` of many.

``use_course_style()``, once at the start of a notebook, gives all its figures the course's look.
``drawings`` shows how data flow, one drawing for each lesson; ``colours`` are the course's.
Matplotlib and seaborn are imported with the first map, since drawings and widgets need neither.
"""

from importlib import import_module

__all__ = ["HeadGridFigure", "attention_heatmap", "head_grid", "use_course_style"]


def __getattr__(name: str):
    if name in __all__:
        module = "style" if name == "use_course_style" else "heatmaps"
        return getattr(import_module(f"course_lib.figures.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
