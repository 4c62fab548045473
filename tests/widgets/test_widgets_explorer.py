"""AttentionExplorer without a browser: its numbers, its traits, what it refuses, what it stores."""

import html
import json
import math
import re
import subprocess
import sys
import types

import ipywidgets
import numpy as np
import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display
from IPython.utils.capture import capture_output
from traitlets import TraitError

from course_lib import causal_mask, scaled_dot_product_attention
from course_lib.widgets import AttentionExplorer
from course_lib.widgets.course_widget import HAS_ANYWIDGET, WIDGET_VIEW

TOKENS = ["The", "bank", "by", "the", "river", "approved", "my", "loan"]


def draw(heads=3, length=8, head_dim=4):
    query, key, value = torch.randn(3, heads, length, head_dim)
    return query @ key.transpose(-2, -1) / math.sqrt(head_dim), query, key, value


@pytest.mark.parametrize("causal", [False, True])
def test_weights_are_those_of_attention(causal):
    scores, query, key, value = draw()
    explorer = AttentionExplorer(scores, TOKENS, value, causal=causal, head=1)
    for head in (1, 2):
        explorer.head = head
        of_head = (query[head], key[head], value[head])
        _, weights = scaled_dot_product_attention(*of_head, is_causal=causal)
        torch.testing.assert_close(explorer.weights.float(), weights, atol=1e-6, rtol=0)
    if not causal:
        explorer.temperature = 3.0
        expected = torch.softmax(scores[2].double() / 3, dim=-1)
        torch.testing.assert_close(explorer.weights, expected, atol=1e-6, rtol=0)


def test_masked_cells_get_no_weight_and_may_hold_anything():
    scores, *_ = draw(heads=2)
    mask = torch.rand(8, 8) < 0.5
    mask[3] = False
    explorer = AttentionExplorer(scores.masked_fill(~mask, math.nan), TOKENS, mask=mask)
    assert (explorer.weights[~mask] == 0).all()
    torch.testing.assert_close(explorer.weights.sum(dim=-1), mask.any(dim=-1).double())
    expected = torch.softmax(scores[0].double().masked_fill(~mask, -math.inf), dim=-1)
    torch.testing.assert_close(explorer.weights, expected.nan_to_num(0.0), atol=1e-6, rtol=0)


SCORES, NAN = torch.zeros(2, 8, 8), torch.full((8, 8), math.nan)


@pytest.mark.parametrize(
    ("error", "words", "arguments"),
    [
        (ValueError, "scores must have shape", {"scores": torch.zeros(8)}),
        (ValueError, "at least one head", {"scores": torch.zeros(0, 8, 8)}),
        (TypeError, "floating dtype", {"scores": torch.zeros(8, 8).long()}),
        (ValueError, "parts of one shape", {"scores": [SCORES.numpy(), np.zeros((3, 8, 8))]}),
        (ValueError, "tokens must hold one text for each query: 8", {"tokens": TOKENS[:7]}),
        (ValueError, "each key: 8 .* key_tokens", {"scores": SCORES[:, :7], "tokens": TOKENS[:7]}),
        (ValueError, "key_tokens must hold one text for each key", {"key_tokens": TOKENS[:3]}),
        (TypeError, "split it first", {"tokens": "one text"}),
        (TypeError, "tokens must be a list of texts, got set", {"tokens": set(TOKENS)}),
        (ValueError, r"got -1e\+09 .* mask=scores > -9000", {"scores": SCORES - 1e9}),
        (ValueError, "1 to 512 tokens, got 0", {"tokens": [], "scores": torch.zeros(1, 0, 0)}),
        (ValueError, "got 513", {"tokens": ["a"] * 513, "scores": torch.zeros(513, 513)}),
        (ValueError, "got nan at .* 64 such", {"scores": torch.stack((SCORES[0], NAN))}),
        (ValueError, "got inf", {"scores": SCORES + math.inf}),
        (ValueError, r"got 1e\+300", {"scores": SCORES.double() + 1e300}),
        (TypeError, "mask must be boolean", {"mask": torch.ones(8, 8)}),
        (ValueError, "mask must broadcast", {"mask": torch.ones(7, 8, dtype=torch.bool)}),
        (ValueError, "values must have shape", {"values": torch.zeros(2, 7, 4)}),
        (ValueError, "values must have shape", {"values": torch.zeros(8, 4)}),
        (ValueError, "values must be finite", {"values": torch.full((2, 8, 4), math.nan)}),
        (TraitError, "head must be from 0 to 1", {"head": 2}),
        (TraitError, "layer must be from 0 to 0", {"layer": 1}),
        (ValueError, "state must hold only .* got haed", {"state": {"haed": 1}}),
        (TraitError, "key must be from 0 to 7, got 8", {"state": {"key": 8}}),
        (TraitError, "pinned must name heads, .* got", {"state": {"pinned": [0, 9]}}),
    ],
)
def test_bad_input_is_named(error, words, arguments):
    with pytest.raises(error, match=words):
        AttentionExplorer(**({"scores": SCORES, "tokens": TOKENS} | arguments))


@pytest.mark.skipif(not HAS_ANYWIDGET, reason="anywidget is not installed")
@pytest.mark.parametrize("on_colab", [False, True])
def test_a_cell_shows_one_output(monkeypatch, on_colab):
    """With ipywidgets 8 and with Colab's 7.7.1, which displays widgets in another way."""
    if on_colab:
        monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
    InteractiveShell.instance()
    with capture_output() as captured:
        display(AttentionExplorer(SCORES, TOKENS))
    [output] = captured.outputs
    kinds = {"text/plain", "text/html", WIDGET_VIEW}
    if on_colab and hasattr(ipywidgets.Widget, "_ipython_display_"):
        kinds.remove("text/html")
    assert set(output.data) == kinds
    assert output.data["text/plain"] == "AttentionExplorer(2 heads, 8 queries, 8 keys)"


def state_of(page):
    [text] = re.findall(r"^const state = (.*);$", page, re.MULTILINE)
    return json.loads(text)


def test_without_anywidget_the_page_is_shown_and_the_numbers_stay():
    code = """
import sys
sys.modules["anywidget"] = None
import torch
from course_lib.widgets import AttentionExplorer
explorer = AttentionExplorer(torch.randn(2, 3, 3), ["a", "<b>", "c"], head=1)
explorer.query = 2
assert explorer.weights.shape == (3, 3)
bundle, _ = explorer._repr_mimebundle_()
assert sorted(bundle) == ["text/html", "text/plain"]
print(bundle["text/html"])
try:
    explorer.head = 7
except Exception as error:
    print("REFUSED", error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install anywidget" in done.stdout
    assert "REFUSED head must be from 0 to 1, got 7" in done.stdout
    [page] = re.findall(r'<iframe srcdoc="([^"]*)"', done.stdout)
    assert state_of(html.unescape(page))["query"] == 2


def test_a_causal_mask_is_offered_where_it_would_hide_something():
    scores = torch.randn(2, 8, 8)
    hidden = torch.softmax(scores.masked_fill(~causal_mask(8), -math.inf), dim=-1)
    for explorer, offered in (
        (AttentionExplorer(scores, TOKENS), True),
        (AttentionExplorer.from_weights(torch.softmax(scores, dim=-1), TOKENS), True),
        (AttentionExplorer(scores, TOKENS, causal=True), True),
        (AttentionExplorer(scores, TOKENS, mask=causal_mask(8)), False),
        (AttentionExplorer.from_weights(hidden, TOKENS), False),
    ):
        assert explorer._content["maskable"] is offered


def test_the_key_is_nobodys_choice_at_first_and_may_be_so_again():
    explorer = AttentionExplorer(torch.randn(2, 5, 5), list("abcde"))
    assert explorer.key is None and explorer.state["key"] is None
    explorer.key = 3
    explorer.state = {"key": None}
    assert explorer.key is None
