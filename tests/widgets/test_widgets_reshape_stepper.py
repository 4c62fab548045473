"""ReshapeStepper without a browser."""

import base64
import re

import pytest
import torch
from traitlets import TraitError

from course_lib.widgets import ReshapeStepper


@pytest.mark.parametrize(
    ("step", "wrong", "shape"),
    [
        (0, False, (3, 8)),
        (1, False, (3, 2, 4)),
        (2, False, (2, 3, 4)),
        (3, False, (2, 3, 4)),
        (4, False, (3, 2, 4)),
        (5, False, (3, 8)),
        (1, True, (2, 3, 4)),
        (4, True, (2, 3, 4)),
        (5, True, (3, 8)),
    ],
)
def test_shapes(step, wrong, shape):
    assert ReshapeStepper(3, 2, 4, step=step, wrong=wrong).order.shape == shape


def test_only_the_right_way_gives_each_head_its_own_features():
    stepper = ReshapeStepper(3, 2, 4, step=2)
    for head, numbers in enumerate(stepper.order):
        assert set((numbers % 8 // 4).flatten().tolist()) == {head}
    stepper.wrong = True
    assert len(set((stepper.order[0] % 8 // 4).flatten().tolist())) == 2
    for wrong in (False, True):
        stepper.wrong = wrong
        assert sorted(stepper.order.flatten().tolist()) == list(range(24))


@pytest.mark.parametrize(
    ("error", "words", "arguments"),
    [
        (ValueError, "seq_len must be at most 6, got 7", {"seq_len": 7}),
        (ValueError, "num_heads must be at least 1, got 0", {"num_heads": 0}),
        (TypeError, "head_dim must be an integer", {"head_dim": 2.0}),
        (TraitError, "step must be from 0 to 5, got 6", {"step": 6}),
    ],
)
def test_bad_input_is_named(error, words, arguments):
    with pytest.raises(error, match=words):
        ReshapeStepper(**arguments)


def test_the_still_picture_colours_each_number_by_its_head():
    stepper = ReshapeStepper(3, 2, 2, step=2)
    image = r'<img alt="[^"]+" src="data:image/svg\+xml;base64,([^"]+)"'
    source = re.search(image, stepper.still())
    svg = base64.b64decode(source[1]).decode()
    labels = re.findall(r">([A-C][0-3])</text>", svg)
    right = ["A0", "A1", "B0", "B1", "C0", "C1", "A2", "A3", "B2", "B3", "C2", "C3"]
    wrong = [f"{token}{feature}" for token in "ABC" for feature in range(4)]
    assert labels == right + wrong  # side by side
    rows = re.findall(r">((?:head|token) [^<]+)</text>", svg)
    assert rows == 2 * [f"head {head}, token {token}" for head in (0, 1) for token in "ABC"]
    colours = re.findall(r'<rect [^>]*rx="3" fill="([^"]+)"', svg)
    first, second = colours[0], colours[6]
    assert first != second and colours[:12] == [first] * 6 + [second] * 6
    assert colours[12:] == [first, first, second, second] * 3
    assert "<table" in stepper.still() and "<img" not in stepper.still(picture=False)


def test_stored_output_is_the_same_in_every_run():
    assert ReshapeStepper(step=1).still() == ReshapeStepper(step=1).still()
    assert ReshapeStepper().describe() == "ReshapeStepper(3 tokens, 2 heads of 2)"
    first = torch.arange(12).view(3, 4)
    assert torch.equal(ReshapeStepper().order, first)
