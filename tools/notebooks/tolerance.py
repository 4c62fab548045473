"""Numbers that may differ a little: a cell tagged `within-0.05` lets each differ by at most 0.05.

Results of training differ between processors in their last digits. The tag is for the code cell
that prints them. It holds for what the cell prints and for results that are text alone; between
the numbers each letter stays as it was, and so do words such as nan. A digit within a name
(float32, 640x480) belongs to the name.
"""

import re
from decimal import Decimal

from nbformat import NotebookNode

from tools.notebooks.notebook_files import cell_tags

PREFIX = "within-"
TAG = re.compile(re.escape(PREFIX) + r"(\d+(?:\.\d+)?)")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?!\w|\.\d)")


def tolerance(cell: NotebookNode) -> Decimal | None:
    """Return by how much the cell's numbers may differ, None where each letter counts."""
    tags = [tag for tag in cell_tags(cell) if tag.startswith(PREFIX)]
    if not tags:
        return None
    match = TAG.fullmatch(tags[0])
    if len(tags) > 1 or not match or not Decimal(match[1]):
        raise ValueError(f"tags must have one {PREFIX}NUMBER, such as {PREFIX}0.05, got {tags}")
    return Decimal(match[1])


def is_within(stored: str, new: str, most: Decimal) -> bool:
    """Whether the texts are the same but for numbers, each within `most` of the stored one."""
    if NUMBER.sub("0", stored) != NUMBER.sub("0", new):
        return False
    pairs = zip(NUMBER.findall(stored), NUMBER.findall(new), strict=True)
    return all(abs(Decimal(a) - Decimal(b)) <= most for a, b in pairs)


def plain_text(output: NotebookNode) -> str | None:
    """Return what is printed, or a result that is text alone; None for all other outputs."""
    if output.output_type == "stream":
        return output.text
    data = output.get("data", {})
    return data["text/plain"] if set(data) == {"text/plain"} else None


def has_number(outputs: list[NotebookNode]) -> bool:
    return any(NUMBER.search(plain_text(output) or "") for output in outputs)


def keep_stored_numbers(
    stored: list[NotebookNode], new: list[NotebookNode], most: Decimal
) -> list[NotebookNode]:
    """Return the new outputs; where the numbers of one are within `most`, with its stored text."""
    if len(stored) != len(new):
        return new
    kept = []
    for before, after in zip(stored, new, strict=True):
        old_text, new_text = plain_text(before), plain_text(after)
        if old_text is not None and new_text is not None and is_within(old_text, new_text, most):
            after = NotebookNode(after)
            if after.output_type == "stream":
                after.text = old_text
            else:
                after.data = NotebookNode({"text/plain": old_text})
        kept.append(after)
    return kept
