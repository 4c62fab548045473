"""Roles and the scale of weights, measured in CIELAB and as colour-blind eyes see them."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.colors import to_hex

from course_lib.figures import attention_heatmap
from course_lib.figures.colours import EFFECTS, PAGES, ROLES, WEIGHTS, ink, weight_colour
from course_lib.widgets.reshape_stepper import HEAD_COLOURS
from refusals import refuses

RGB_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750]]
    + [[0.0193339, 0.1191920, 0.9503041]]
)
# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
EYES = {
    "all cones": np.eye(3),
    "no red cones": [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216]
    + [-0.003882, -0.048116, 1.051998],
    "no green cones": [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413]
    + [-0.011820, 0.042940, 0.968881],
    "no blue cones": [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602]
    + [0.004733, 0.691367, 0.303900],
}


def linear(colour: str) -> np.ndarray:
    """The light of red, green and blue in ``#rrggbb``, from 0 to 1."""
    rgb = np.array(list(bytes.fromhex(colour[1:]))) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(colour: str, eyes: str = "all cones") -> np.ndarray:
    """L*, a*, b* of ``#rrggbb``."""
    seen = np.clip(np.reshape(EYES[eyes], (3, 3)) @ linear(colour), 0, 1)
    x, y, z = np.cbrt(RGB_TO_XYZ @ seen / np.array([0.95047, 1, 1.08883]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(colour: str, page: str) -> float:
    """WCAG 2: from 1 (equal) to 21 (black and white)."""
    darker, lighter = sorted(RGB_TO_XYZ[1] @ linear(each) for each in (colour, page))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_measured_as_wcag_does():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("page", PAGES)
def test_a_role_is_seen_and_its_words_are_read_on_a_light_and_a_dark_page(role, page):
    background, text = PAGES[page]
    assert contrast(ROLES[role], background) >= 3
    assert contrast(ink(role, page), background) >= 4.5
    assert contrast(text, background) >= 4.5


def test_values_contrast_with_their_cells():
    steps = np.linspace(0, 1, 10)
    weights = np.stack([steps, 1 - steps], axis=1)
    ax = attention_heatmap(weights, annotate=True, entropy=False)
    for text, weight in zip(ax.texts, weights.flatten(), strict=True):
        assert contrast(to_hex(text.get_color()), weight_colour(weight)) >= 3


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("eyes", EYES)
def test_more_weight_is_more_contrast_with_the_page(page, eyes):
    scale = [lab(weight_colour(step / 50, page), eyes) for step in range(51)]
    steps = [(b[0] - a[0]) * (-1 if page == "light" else 1) for a, b in pairwise(scale)]
    assert min(steps) > 0.5  # lightness, always in one direction
    for a, b in pairwise(scale[::5]):
        assert np.linalg.norm(b - a) > 5  # a tenth more is seen (1 is just noticeable)
    assert np.linalg.norm(scale[-1] - scale[0]) > 60


def unlike(colour: str, other: str) -> float:
    """How far two colours are from each other for the eyes that tell them apart least."""
    return min(np.linalg.norm(lab(colour, eyes) - lab(other, eyes)) for eyes in EYES)


def test_eyes_without_green_cones_confuse_what_they_are_known_to_confuse():
    assert unlike("#d55e00", "#b8860b") < 5 < 30 < unlike("#0072b2", "#b8860b")


TOLD_APART = ("query", "key", "value", "weights", "output")


@pytest.mark.parametrize("pair", list(combinations(TOLD_APART, 2)), ids="-".join)
def test_the_roles_are_told_apart_by_all_eyes(pair):
    assert unlike(*(ROLES[role] for role in pair)) > 14


@pytest.mark.parametrize("role", ("input", "scores"))
def test_what_is_grey_is_no_other_role(role):
    assert min(unlike(ROLES[role], ROLES[other]) for other in TOLD_APART) > 9


def test_the_heads_of_the_stepper_have_colours_of_their_own():
    for one, other in combinations(HEAD_COLOURS, 2):
        assert unlike(one, other) > 30
    assert min(unlike(head, role) for head in HEAD_COLOURS for role in ROLES.values()) > 20


@pytest.mark.parametrize("page", PAGES)
def test_a_fall_and_a_rise_are_told_apart_and_wear_no_role(page):
    fall, page_colour, rise = (f"#{colour}" for colour in EFFECTS[page].split())
    assert unlike(fall, rise) > 30
    assert min(unlike(fall, page_colour), unlike(rise, page_colour)) > 50
    if page == "light":
        assert min(unlike(end, ROLES[role]) for end in (fall, rise) for role in TOLD_APART) > 14


def test_lightness_is_even_on_the_light_page():
    steps = [a - b for a, b in pairwise([lab(weight_colour(step / 10))[0] for step in range(11)])]
    assert max(steps) < 1.1 * min(steps)


def test_the_dark_scales_are_the_light_ones_after_the_filter_of_stored_pictures():
    turn = np.array([[-0.574, 1.43, 0.144], [0.426, 0.43, 0.144], [0.426, 1.43, -0.856]])
    both = zip(*(f"{WEIGHTS[page]} {EFFECTS[page]}".split() for page in PAGES), strict=True)
    for light, dark in both:
        rgb = np.array(list(bytes.fromhex(light))) / 255
        turned = turn @ (0.07 * rgb + 0.93 * (1 - rgb))  # invert(0.93), hue-rotate(180deg)
        assert np.abs(255 * turned.clip(0, 1) - list(bytes.fromhex(dark))).max() <= 1


@pytest.mark.parametrize("weight", [-0.01, 1.01, float("nan")])
def test_a_weight_outside_its_range_is_refused(weight):
    refuses(ValueError, r"weight must lie in 0\.\.1", weight_colour, weight)


def test_an_unknown_page_or_role_is_refused():
    for colour_of, what in ((weight_colour, 0.5), (ink, "query")):
        refuses(ValueError, "page must be one of light, dark; got 'grey'", colour_of, what, "grey")
    refuses(ValueError, "role must be one of input, query, .*; got 'mask'", ink, "mask", "dark")
