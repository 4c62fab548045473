"""What lesson 16 does with a student's class, and what can go wrong there."""

import torch
from torch import nn

from course_checks.exercises.heads_in_one_matrix.MyMultiHead import NAMES
from course_checks.judge.answers import same

LONG = 130  # tokens: longer than what one writes for a text of one's own


def seen_in_lesson_16(module, x):
    """A text longer than any table that the module may have, and layers that are other modules.

    Where the longer text is answered wrongly, its layers stay as they are.
    """
    seen = {"right": None, "longer": None, "length": 0, "longest": 0, "reads_weight": False}
    with torch.no_grad():
        right = module(x, is_causal=True)[0]
        tables = [*module.buffers(), *filter(torch.is_tensor, vars(module).values())]
        sizes = [size for table in tables for size in table.shape]
        longest = max((size for size in sizes if size >= x.shape[1]), default=0)
        if longest <= 2048:
            text = x[:1].repeat(1, max(longest, LONG) // x.shape[1] + 1, 1)
            try:
                longer = module(text, is_causal=True)[0][:, : x.shape[1]]
            except (RuntimeError, IndexError):
                longer = text
            seen |= {"right": right[:1], "longer": longer}
            seen |= {"length": text.shape[1], "longest": longest}
            if not same(right[:1], longer):
                return seen
        for name in NAMES:
            setattr(module, name, _Behind(getattr(module, name)))
        try:
            module(x, is_causal=True)
        except AttributeError:
            seen["reads_weight"] = True
    return seen


def fault_in_lesson_16(right, longer, length, longest, reads_weight):
    """What is wrong with what was seen, as a sentence; "" where nothing is."""
    if right is not None and not same(right, longer):
        table = f"a table of {longest} that it keeps" if longest else "its table"
        return (
            f"a text of {length} tokens is longer than {table}. Make the table in forward, from "
            "the length of x."
        )
    if reads_weight:
        return (
            "it reads the weight of a layer. Call the layer, as in self.q_proj(x): exercises 16 "
            "put other modules in its place."
        )
    return ""


class _Behind(nn.Module):
    """What exercises 16 put in the place of a layer: another module, which calls it."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(x)
