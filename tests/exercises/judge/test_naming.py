"""A mistake is named only when it is in the function: on every input, and on further ones."""

import nbformat
import pytest

from course_lib import checks
from exercises.sources import define
from notebook_files import ROOT


def demonstration():
    """The function that lesson 00 hands to a check."""
    cells = nbformat.read(ROOT / "notebooks" / "00_start_here.ipynb", as_version=4).cells
    (source,) = (cell.source for cell in cells if "def stable_softmax" in cell.source)
    return define(source.split("\n\n\nchecks.")[0], "stable_softmax")


def positive_part(scores):
    return scores.clamp(min=0) / scores.clamp(min=0).sum(dim=-1, keepdim=True)


def sizes(scores):
    return scores.abs() / scores.abs().sum(dim=-1, keepdim=True)


@pytest.mark.parametrize("function", [demonstration(), positive_part, sizes])
def test_shares_of_the_scores_are_called_what_they_are(function):
    """They agree with another mistake, dividing by the largest score, where numbers are coarse."""
    for seed in range(200):
        result = checks.stable_softmax(function, seed=seed)
        assert result.diagnosis == "shares_of_scores", str(result)
