"""SoftLookup without a browser."""

import pytest
import torch

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
