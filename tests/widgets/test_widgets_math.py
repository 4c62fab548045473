"""The numbers that the browser computes are torch's (`node --test` runs the JavaScript)."""

import json
import math
from pathlib import Path

import torch

from course_lib import causal_mask
from course_lib.figures.colours import WEIGHTS, weight_colour

JS_TESTS = sorted((Path(__file__).parents[1] / "js").glob("*.test.mjs"))


def flat(tensor):
    """The numbers as a list that JSON can hold."""
    return [None if math.isnan(number) else number for number in tensor.flatten().tolist()]


def draw_case(name, query_len, key_len, causal, temperature, share_masked=0.0, head_dim=5):
    scores = 2 * torch.randn(query_len, key_len)
    values = torch.randn(key_len, head_dim, dtype=torch.float64)
    allowed = torch.rand(query_len, key_len) >= share_masked
    sent = scores.masked_fill(~allowed, math.nan)
    if causal:
        allowed = allowed & causal_mask(query_len, key_len)
    logits = (scores.double() / temperature).masked_fill(~allowed, -math.inf)
    weights = torch.softmax(logits, dim=-1).nan_to_num(0.0)  # rows without a key: 0/0
    sizes = {"queryLen": query_len, "keyLen": key_len, "headDim": head_dim}
    tensors = {"scores": sent, "values": values, "allowed": allowed, "weights": weights}
    tensors["entropy"] = torch.special.entr(weights).sum(dim=-1)
    tensors["context"] = weights @ values
    case = {"name": name, "causal": causal, "temperature": temperature}
    return case | sizes | {key: flat(tensor) for key, tensor in tensors.items()}


def test_javascript_agrees_with_torch(run_node, tmp_path):
    cases = [
        draw_case("plain", 7, 7, False, 1.0),
        draw_case("causal", 9, 9, True, 1.0),
        draw_case("hot", 6, 6, False, 8.0),
        draw_case("cold and causal", 6, 6, True, 0.3),
        draw_case("more keys than queries, causal", 3, 8, True, 1.0),
        draw_case("cross-attention", 8, 3, False, 1.0),
        draw_case("masked at random, some rows entirely", 12, 3, False, 1.0, share_masked=0.6),
        draw_case("one token", 1, 1, True, 2.0),
    ]
    weights = [i / 1000 for i in range(1001)]
    colours = {p: [list(bytes.fromhex(weight_colour(w, p)[1:])) for w in weights] for p in WEIGHTS}
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"cases": cases, "colours": colours, "table": WEIGHTS}))
    assert JS_TESTS
    assert f"# pass {len(cases) + 5}" in run_node("--test", *JS_TESTS, CASES=str(path))
