"""Five short texts, written for this course, on which the loss of a language model is measured.

They are about a harbour, a recipe, a machine, a letter and an experiment. No model can have met
them before they were written here, in November 2026.
"""

from importlib.resources import files

_TEXT = (files(__package__) / "passages.txt").read_text(encoding="utf-8")
PASSAGES = tuple(" ".join(passage.split()) for passage in _TEXT.split("\n\n"))
