"""Drawings show what is computed, say it in words too, and light one part at a time."""

import re
from xml.etree import ElementTree

import pytest
import torch

from course_lib import SingleHead, drawings
from course_lib.colours import ROLES, ink
from course_lib.drawings.single_head import head_example

SVG = "{http://www.w3.org/2000/svg}"
PARTS = {
    "single_head": ("input", "query", "key", "value", "scores", "weights", "output"),
}
EVERY = [(name, lit) for name, parts in PARTS.items() for lit in (None, *parts)]


def draw(name, lit=None):
    return getattr(drawings, name)(lit)


def parts_of(drawing):
    """The groups of a drawing, by name."""
    root = ElementTree.fromstring(drawing.svg)
    groups = [group for group in root.iter(f"{SVG}g") if "part" in group.get("class", "").split()]
    return {re.search(r"part-(\w+)", group.get("class"))[1]: group for group in groups}


def words_of(group):
    return ["".join(node.itertext()) for node in group.iter(f"{SVG}text")]


def luminance(colour):
    channels = [byte / 255 for byte in bytes.fromhex(colour[1:])]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """WCAG 2: from 1 (equal) to 21 (black and white)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_every_drawing_is_tested():
    assert set(PARTS) == set(drawings.__all__) - {"Drawing"}


def test_contrast_is_measured_as_wcag_does():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("page", "dark"), [("#ffffff", False), ("#111111", True)])
def test_a_role_is_seen_and_its_words_are_read_on_a_light_and_a_dark_page(role, page, dark):
    assert contrast(ROLES[role], page) >= 3
    assert contrast(ink(role, dark=dark), page) >= 4.5


def test_an_unknown_role_is_named_with_those_there_are():
    with pytest.raises(ValueError, match="role must be one of input, query, .*; got 'mask'"):
        ink("mask", dark=True)


@pytest.mark.parametrize(("name", "lit"), EVERY)
def test_a_drawing_is_one_picture_with_a_title_and_a_description(name, lit):
    drawing = draw(name, lit)
    root = ElementTree.fromstring(drawing.svg)  # well formed
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == drawing.title
    assert root.findtext(f"{SVG}desc") == drawing.description
    assert root.get("aria-label") == f"{drawing.title}. {drawing.description}" == repr(drawing)
    assert 3 <= len(re.findall(r"[.](?= |$)", drawing.description)) <= 7
    assert (lit or "") in drawing.title
    assert drawing.svg in drawing._repr_html_()


@pytest.mark.parametrize(("name", "lit"), EVERY)
def test_drawings_on_one_page_do_not_meddle_with_each_other(name, lit):
    svg = draw(name, lit).svg
    assert not re.search(r"\s(id|href)=|url\(", svg)
    style = re.search(r"<style>(.*)</style>", svg, re.S)[1]
    selectors = re.findall(r"([^{}]+)\{", style)
    assert selectors and all(s.strip().startswith(".course-drawing") for s in selectors)


@pytest.mark.parametrize("name", PARTS)
def test_every_colour_comes_from_the_one_place(name):
    svg = draw(name).svg
    assert set(re.findall(r"#[0-9a-fA-F]{3,8}\b", svg)) == set(ROLES.values())
    assert not re.search(r"rgb|hsl", svg.replace("in srgb", ""))
    marks = svg.split("</style>")[1]
    assert not re.search(r'(fill|stroke)="', marks)


@pytest.mark.parametrize("name", PARTS)
def test_no_text_is_smaller_than_11_pixels(name):
    sizes = re.findall(r"font(?:-size)?(?:: |=\")(\d+)", draw(name).svg)
    assert sizes and min(map(int, sizes)) >= 11


@pytest.mark.parametrize(("name", "lit"), [(name, lit) for name, lit in EVERY if lit])
def test_lit_changes_the_named_part_and_no_other(name, lit):
    plain, marked = parts_of(draw(name)), parts_of(draw(name, lit))
    assert tuple(plain) == tuple(marked) == PARTS[name]
    changed = {
        part
        for part, group in plain.items()
        if ElementTree.tostring(group) != ElementTree.tostring(marked[part])
    }
    assert changed == {lit}
    assert marked[lit].get("class").split() == ["part", "lit", f"part-{lit}"]
    assert "some-lit" in draw(name, lit).svg.split("</style>")[0].split("<title>")[0]
    assert "some-lit" not in draw(name).svg.split("<title>")[0]


@pytest.mark.parametrize("name", PARTS)
def test_an_unknown_part_is_named_with_those_there_are(name):
    with pytest.raises(ValueError, match=f"one of {', '.join(PARTS[name])}; got 'softmax'"):
        draw(name, "softmax")


def test_the_single_head_is_what_the_library_computes():
    example = head_example()
    head = SingleHead(64, 16, bias=False, dtype=torch.float64)
    matrices = {"q_proj": example.w_query, "k_proj": example.w_key, "v_proj": example.w_value}
    head.load_state_dict({f"{name}.weight": matrix for name, matrix in matrices.items()})
    output, weights = head(example.x[None])
    torch.testing.assert_close(weights[0], example.weights)
    torch.testing.assert_close(output[0], example.output)
    tensors = {"input": example.x, "query": head.q_proj(example.x), "scores": weights[0]}
    tensors |= {"key": tensors["query"], "value": tensors["query"], "weights": weights[0]}
    parts = parts_of(drawings.single_head())
    for part, tensor in (tensors | {"output": output[0]}).items():
        assert " × ".join(map(str, tensor.shape)) in words_of(parts[part])
        assert len(cells_of(parts[part])[0]) == tensor.numel()


def cells_of(group):
    """The shades of each grid of a part, (row, column): 0 where a cell is left empty."""
    grids = []
    for cells in group.iter(f"{SVG}g"):
        if cells.get("class") == "cells":
            grids.append({})
            for path in cells:
                for j, i in re.findall(r"M(\d+) (\d+)", path.get("d")):
                    grids[-1][int(i), int(j)] = float(path.get("fill-opacity"))
    return grids


def test_the_weights_are_drawn_as_they_are():
    weights = head_example().weights
    (drawn,) = cells_of(parts_of(drawings.single_head())["weights"])
    for (i, j), shade in drawn.items():
        exact = (weights[i, j] / weights.max()).item()
        assert exact <= shade + 1e-9 and shade - exact < 1 / 8


def test_shapes_can_be_left_for_the_student_to_predict():
    plain, silent = drawings.single_head(), drawings.single_head(shapes=False)
    assert "8 × 16" in plain.svg and "8 × 16" in plain.description
    assert "×" not in silent.svg
