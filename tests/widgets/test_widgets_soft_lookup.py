"""SoftLookup without a browser."""

import base64
import math
import re

import pytest
import torch
from traitlets import TraitError

from course_lib import scaled_dot_product_attention
from course_lib.widgets import SoftLookup


def test_weights_and_output_are_those_of_attention():
    keys, values, query = torch.randn(5, 2), torch.randn(5, 2), torch.randn(1, 2)
    lookup = SoftLookup(keys, list("abcde"), values, temperature=0.7)
    lookup.query = query[0].tolist()
    output, weights = scaled_dot_product_attention(query, keys, values, scale=1 / 0.7)
    torch.testing.assert_close(lookup.weights.float(), weights[0], atol=1e-6, rtol=0)
    torch.testing.assert_close(lookup.output.float(), output[0], atol=1e-5, rtol=0)


def test_values_default_to_the_keys_and_may_be_numbers():
    keys = torch.tensor([[1.0, 0.0], [0.0, 2.0], [-1.0, -1.0]])
    lookup = SoftLookup(keys, ["a", "b", "c"], temperature=1e-3, query=[0.0, 1.0])
    torch.testing.assert_close(lookup.output.float(), keys[1], atol=1e-6, rtol=0)
    lookup = SoftLookup(keys, ["a", "b", "c"], [1.0, 2.0, 3.0], query=[0.0, 0.0])
    assert lookup.output.item() == pytest.approx(2.0)


KEYS = [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("error", "words", "arguments"),
    [
        (ValueError, r"keys must have shape \(n, 2\), got \(2, 3\)", {"keys": torch.zeros(2, 3)}),
        (TypeError, "keys must have a floating dtype", {"keys": [[1, 0], [0, 1]]}),
        (ValueError, "keys must be finite, got 1", {"keys": [[1.0, math.nan], [0.0, 1.0]]}),
        (ValueError, "one text for each of 2 keys, got 1", {"names": ["a"]}),
        (TypeError, "split it first", {"names": "ab"}),
        (ValueError, "names must hold 1 to 12", {"names": ["a"] * 13}),
        (ValueError, r"values must have shape \(2,\) or \(2, 2\)", {"values": [1.0]}),
        (ValueError, "values must be finite", {"values": [1.0, math.inf]}),
        (TraitError, "two finite numbers", {"query": [1.0, math.nan]}),
        (TraitError, "query", {"query": [1.0]}),
        (TraitError, "temperature must be above 0", {"temperature": 0.0}),
    ],
)
def test_bad_input_is_named(error, words, arguments):
    with pytest.raises(error, match=words):
        SoftLookup(**({"keys": KEYS, "names": ["a", "b"]} | arguments))


@pytest.mark.parametrize("values", [None, [3.0, 4.0]])
def test_the_still_picture_names_all_that_it_shows(values):
    lookup = SoftLookup(KEYS, ["a", "b"], values, query=(0.3, -0.8), axes=("size", "<i>mood"))
    [source] = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', lookup.still())
    svg = base64.b64decode(source).decode()
    texts = re.findall(r"<text [^>]*>([^<]+)</text>", svg)
    output = ["output"] if values is None else []
    assert texts == ["size →", "↑ &lt;i&gt;mood", "a", "b", *output, "query"]
    places = re.findall(r'<circle cx="([^"]+)" cy="([^"]+)"', svg)
    points = [(float(x), -float(y)) for x, y in places]
    expected = [*KEYS, *([lookup.output.tolist()] if values is None else []), [0.3, -0.8]]
    torch.testing.assert_close(torch.tensor(points), torch.tensor(expected), atol=1e-3, rtol=0)


def test_stored_output_is_the_same_in_every_run_and_holds_no_raw_token():
    first, second = (SoftLookup(KEYS, ["<b>x", "y"]).still() for _ in range(2))
    assert first == second
    assert "<b>x" not in first and "&lt;b&gt;x" in first
    assert SoftLookup(KEYS, ["x", "y"]).describe() == "SoftLookup(2 keys)"
