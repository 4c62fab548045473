"""SentenceLab without a browser."""

import pytest
import torch

from course_lib import MultiHeadAttention, causal_mask
from course_lib.widgets import SentenceLab


def heads_of(text, sharpness=1.0):
    """Two heads: one looks at equal tokens, one at the first letter's distance."""
    tokens = text.split()
    equal = torch.tensor([[float(a == b) for b in tokens] for a in tokens])
    near = torch.tensor([[-float(abs(ord(a[0]) - ord(b[0]))) for b in tokens] for a in tokens])
    return tokens, sharpness * torch.stack([equal, near])  # (2 heads, tokens, tokens)


def test_a_new_text_brings_new_weights():
    lab = SentenceLab(heads_of, "a b a", head=1, query=2)
    torch.testing.assert_close(lab.weights.float(), torch.softmax(heads_of("a b a")[1][1], -1))
    lab.text = "x y"
    assert lab.answer == {"to": "x y", "message": ""}
    assert (lab.head, lab.query) == (1, 1)  # there is no token 2 any more
    torch.testing.assert_close(lab.weights.float(), torch.softmax(heads_of("x y")[1][1], -1))
    assert lab._data["queries"] == ["x", "y"]
    assert repr(lab) == "SentenceLab(2 heads, 2 queries, 2 keys)"


def test_what_goes_wrong_is_said_and_the_last_picture_stays():
    def fails(text):
        if "boom" in text:
            raise KeyError("boom")
        if "nan" in text:
            return text.split(), torch.full((1, len(text.split()), len(text.split())), torch.nan)
        return heads_of(text)

    lab = SentenceLab(fails, "a b", max_tokens=3)
    before, data = lab.weights, lab._data
    for text, words in {
        "boom": "KeyError: 'boom'",
        "nan nan": "ValueError: scores must be finite",
        "  ": "ValueError: the sentence is empty",
        "a b c d": "ValueError: at most 3 tokens fit, this sentence has 4",
    }.items():
        lab.text = text
        assert lab.answer["message"].startswith(words)
        assert lab.answer["to"] == text
        assert torch.equal(lab.weights, before)
        assert lab._data is data
    lab.text = "b"
    assert lab.answer["message"] == ""
    assert lab.weights.shape == (1, 1)


def test_variants_and_finished_weights():
    torch.manual_seed(0)
    attention = MultiHeadAttention(8, 2).eval()

    def weights_of(text):
        x = torch.randn(1, len(text.split()), 8, generator=torch.Generator().manual_seed(1))
        with torch.no_grad():
            _, weights = attention(x, is_causal=True, need_weights=True)
        return text.split(), weights[0]

    lab = SentenceLab(weights_of, "a b c", gives="weights")
    torch.testing.assert_close(lab.weights.float(), weights_of("a b c")[1][0])
    assert (lab.weights[~causal_mask(3)] == 0).all()

    lab = SentenceLab(
        None, "a b", variants={"untrained": lambda t: heads_of(t, 0.1), "trained": heads_of}
    )
    assert [v["untrained"] for v in lab._data["variants"]] == [True, False]
    lab.variant = "trained"
    lab.text = "c c d"
    assert lab.variant == "trained"
    torch.testing.assert_close(lab.weights.float(), torch.softmax(heads_of("c c d")[1][0], -1))


@pytest.mark.parametrize(
    ("error", "words", "arguments"),
    [
        (ValueError, "either model_fn or variants", {"model_fn": None}),
        (ValueError, "either model_fn or variants", {"variants": {"a": heads_of}}),
        (ValueError, "max_tokens must be from 1 to 128, got 129", {"max_tokens": 129}),
        (ValueError, 'gives must be "scores" or "weights"', {"gives": "logits"}),
        (ValueError, "the sentence is empty", {"text": ""}),
        (TypeError, "must return .tokens, scores.", {"model_fn": lambda text: text}),
        (ValueError, "at most 2 tokens fit, this sentence has 3", {"max_tokens": 2}),
        (
            ValueError,
            "same tokens",
            {
                "model_fn": None,
                "variants": {"a": heads_of, "b": lambda text: heads_of(text.upper())},
            },
        ),
    ],
)
def test_bad_input_is_named(error, words, arguments):
    with pytest.raises(error, match=words):
        SentenceLab(**({"model_fn": heads_of, "text": "a b a"} | arguments))
