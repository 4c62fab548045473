"""What people have: several layers, torch's weights, a transformers model's."""

import math

import numpy as np
import pytest
import torch

from course_lib import causal_mask
from course_lib.widgets import AttentionExplorer

TOKENS = ["The", "bank", "by", "the", "river"]


def weights_of(*shape):
    return torch.softmax(2 * torch.randn(*shape), dim=-1)


def test_torchs_weights_of_several_layers():
    layers = [
        torch.nn.MultiheadAttention(12, 3, batch_first=True).eval().requires_grad_(False)
        for _ in range(4)
    ]
    inputs = torch.randn(2, 5, 12)
    weights = [
        layer(inputs, inputs, inputs, need_weights=True, average_attn_weights=False)[1]
        for layer in layers
    ]
    explorer = AttentionExplorer.from_weights(weights, TOKENS, batch=np.int64(1), layer=2, head=1)
    torch.testing.assert_close(explorer.weights.float(), weights[2][1, 1], atol=1e-6, rtol=0)
    assert explorer.describe().startswith("AttentionExplorer(4 layers of 3 heads")
    with pytest.raises(ValueError, match="batch of 2: say which with batch=0 to 1"):
        AttentionExplorer.from_weights(weights, TOKENS)
    with pytest.raises(ValueError, match="batch must be from 0 to 1, got 2"):
        AttentionExplorer.from_weights(weights, TOKENS, batch=2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_attentions_of_a_transformers_model(dtype):
    # With Colab's packages there is none; with the course's own there always is.
    transformers = pytest.importorskip("transformers")
    config = transformers.GPT2Config(
        vocab_size=20, n_positions=16, n_embd=12, n_layer=3, n_head=2, attn_implementation="eager"
    )
    model = transformers.GPT2LMHeadModel(config).eval().to(dtype)
    with torch.no_grad():
        outputs = model(torch.randint(20, (1, 5)), output_attentions=True)
    explorer = AttentionExplorer.from_weights(outputs.attentions, TOKENS)
    for layer in range(3):
        for head in range(2):
            explorer.layer, explorer.head = layer, head
            expected = outputs.attentions[layer][0, head].float()
            # bfloat16's weights sum to 1 within 1/256 only; the softmax brings the sum to 1.
            expected = expected / expected.sum(dim=-1, keepdim=True)
            torch.testing.assert_close(explorer.weights.float(), expected, atol=1e-5, rtol=0)
    assert (explorer.weights.triu(1) == 0).all()  # the model's mask


@pytest.mark.parametrize(
    ("error", "words", "weights", "arguments"),
    [
        (TypeError, 'got None; .*attn_implementation="eager"', None, {}),
        (TypeError, "got None for some layers; .*output_attentions=True", (None, None), {}),
        (TypeError, "got no layers", (), {}),
        (ValueError, "must have parts of one shape", [torch.ones(2, 5, 5), torch.eye(5)], {}),
        (ValueError, r"sum to 1.*eval\(\)", [torch.ones(1, 2, 5, 5)], {}),
        (ValueError, r"sum to 1.*eval\(\)", 0.9 * torch.eye(5), {}),
        (ValueError, r"^weights must have shape .*got \(5,\)", weights_of(5), {}),
        (ValueError, r"^weights must have shape", weights_of(1, 1, 1, 1, 5, 5), {}),
        (ValueError, "^tokens must hold one .* weights of shape", weights_of(4, 4), {}),
        (TypeError, "^weights must be .* real numbers, got torch.complex64", torch.eye(5) * 1j, {}),
        (ValueError, "batch must be from 0 to 1, got 7", weights_of(2, 3, 5, 5), {"batch": 7}),
        (ValueError, "batch must be from 0 to 1, got '0'", weights_of(2, 3, 5, 5), {"batch": "0"}),
        (
            ValueError,
            "batch must be from 0 to 1, got True",
            weights_of(2, 3, 5, 5),
            {"batch": True},
        ),
        (
            ValueError,
            r"batch must be None for weights of shape \(2, 5, 5\), .* got 1",
            weights_of(2, 5, 5),
            {"batch": 1},
        ),
        (
            ValueError,
            r"batch must be None for layers of shape \(3, 5, 5\), .* got 1",
            [*weights_of(2, 3, 5, 5)],
            {"batch": 1},
        ),
        (ValueError, "^scale must be None with finished weights", torch.eye(5), {"scale": 0.5}),
        (
            ValueError,
            "^variants must be None with finished weights",
            torch.eye(5),
            {"variants": {"a": torch.eye(5)}},
        ),
    ],
)
def test_what_holds_no_weights_or_asks_too_much_of_them_is_named(error, words, weights, arguments):
    with pytest.raises(error, match=words):
        AttentionExplorer.from_weights(weights, TOKENS, **arguments)


def test_a_mask_never_changes_finished_weights():
    weights, causal = weights_of(2, 5, 5), causal_mask(5)
    largest = f"got {weights.triu(1).max():.4g} at index"
    for arguments in ({"mask": causal}, {"causal": True}):
        with pytest.raises(ValueError, match=f"^weights must be 0 where .*{largest}") as refusal:
            AttentionExplorer.from_weights(weights, TOKENS, **arguments)
        assert next(iter(arguments)) in str(refusal.value)
    hidden = weights.masked_fill(~causal, 0)
    hidden = hidden / hidden.sum(dim=-1, keepdim=True)
    hidden = hidden.masked_fill(~causal, 1e-9)  # a rounding apart from 0
    zeros = hidden.masked_fill(~causal, 0)
    everything = torch.ones(5, 5, dtype=torch.bool)
    for given, arguments in (
        (hidden, {"mask": causal}),
        (hidden, {"causal": True}),
        (zeros, {"mask": everything}),
    ):
        explorer = AttentionExplorer.from_weights(given, TOKENS, **arguments)
        torch.testing.assert_close(explorer.weights.float(), hidden[0], atol=1e-6, rtol=0)


def test_masked_cells_of_numpy_are_refused():
    def hidden(numbers):
        return np.ma.masked_array(numbers.numpy(), ~causal_mask(5).numpy())

    scores, mask = torch.randn(5, 5), torch.ones(5, 5, dtype=torch.bool)
    for name, act in {
        "scores": lambda: AttentionExplorer(hidden(scores), TOKENS),
        "weights": lambda: AttentionExplorer.from_weights(hidden(scores.softmax(-1)), TOKENS),
        "mask": lambda: AttentionExplorer(scores, TOKENS, mask=hidden(mask)),
    }.items():
        with pytest.raises(ValueError, match=f"{name} must have no masked cells, got 10: .*mask=~"):
            act()
    way_out = AttentionExplorer(hidden(scores).filled(0), TOKENS, mask=~hidden(scores).mask)
    expected = scores.double().masked_fill(~causal_mask(5), -math.inf).softmax(dim=-1)
    torch.testing.assert_close(way_out.weights, expected)


def test_a_mask_that_fits_one_variant_only_names_the_other():
    variants = {"long": torch.randn(5, 5), "short": torch.randn(4, 4)}
    tokens = {"long": TOKENS, "short": TOKENS[:4]}
    masks = {name: causal_mask(len(words)) for name, words in tokens.items()}
    with pytest.raises(ValueError, match="variant 'short' .*a dict.*got"):
        AttentionExplorer(None, tokens, variants=variants, mask=masks["long"])
    assert AttentionExplorer(None, tokens, variants=variants, mask=masks).weights[0, 1] == 0


def test_values_are_the_explorers_own():
    values = torch.ones(5, 2, dtype=torch.float64)
    explorer = AttentionExplorer(torch.zeros(5, 5), TOKENS, values)
    values += 6
    assert (explorer.context == 1).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_a_weight_that_was_rounded_to_0_is_not_masked_where_a_mask_says_so(dtype):
    allowed = causal_mask(5)
    weights = weights_of(2, 5, 5).masked_fill(~allowed, 0)
    weights[0, 4, 1] = 0
    weights = (weights / weights.sum(dim=-1, keepdim=True)).to(dtype)
    explorer = AttentionExplorer.from_weights(weights, TOKENS, mask=allowed, query=4)
    assert ((explorer.weights > 0) == allowed).all()  # a masked weight is exactly 0
    expected = weights[0].double() / weights[0].double().sum(dim=-1, keepdim=True)
    torch.testing.assert_close(explorer.weights, expected, atol=1e-6, rtol=0)


def test_a_row_without_weights_is_not_mixed_where_a_mask_allows_it():
    weights = weights_of(2, 5, 5)
    weights[1, 2] = 0
    with pytest.raises(
        ValueError, match=r"^weights must sum to 1 where mask allows .* \(0, 1, 2\)"
    ):
        AttentionExplorer.from_weights(weights, TOKENS, mask=torch.ones(5, 5, dtype=torch.bool))
