"""SoftLookup without a browser."""

import torch

from course_lib import scaled_dot_product_attention
from course_lib.widgets import SoftLookup


def test_weights_and_output_are_those_of_attention():
    keys, query = torch.randn(5, 2), torch.randn(1, 2)
    lookup = SoftLookup(keys, list("abcde"), temperature=0.7)
    lookup.query = query[0].tolist()
    output, weights = scaled_dot_product_attention(query, keys, keys, scale=1 / 0.7)
    torch.testing.assert_close(lookup.weights.float(), weights[0], atol=1e-6, rtol=0)
    torch.testing.assert_close(lookup.output.float(), output[0], atol=1e-5, rtol=0)
