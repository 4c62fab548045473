"""Reads the weights that a page shows, and compares them with the true ones."""

import math

import torch

from course_lib.figures.colours import weight_colour

TOKENS = ["The", "bank", "by", "the", "river", "approved", "my", "loan"]


def percents(texts):
    """The percentages at the beginning of each text; masked ones are NaN."""
    return torch.tensor(
        [math.nan if "masked" in t else float(t.split("%")[0]) / 100 for t in texts]
    )


def bar_texts(page):
    return page.locator(".cw-bars > span:nth-child(3n)").all_inner_texts()


def bars(page):
    return percents(bar_texts(page))


def close(got, expected, moved=0.0):
    """Whether printed weights are the true ones, to their last digit.

    Scores that were sent in fewer bits are ``moved`` by so much; a weight by half of that at most.
    """
    most = 0.00051 + moved / 2
    return torch.allclose(got.double(), expected.double(), atol=most, rtol=0, equal_nan=True)


def colours_of(weights, page):
    """The colours (..., 3) of weights, from 0 to 255."""
    flat = [list(bytes.fromhex(weight_colour(w, page)[1:])) for w in weights.flatten().tolist()]
    return torch.tensor(flat).view(*weights.shape, 3)
