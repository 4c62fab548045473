"""Every argument of every widget: what does not fit is refused in words that name it."""

import inspect
import math

import pytest
import torch
import traitlets

from course_lib import DecoderLM
from course_lib.figures.drawings import many_heads, single_head
from course_lib.widgets import AttentionExplorer, LiveDrawing, MaskLab, ModelLab, ReshapeStepper
from course_lib.widgets.course_widget import HAS_ANYWIDGET
from course_lib.widgets.scaling_lab import ScalingLab
from course_lib.widgets.sentence_lab import SentenceLab
from course_lib.widgets.soft_lookup import SoftLookup

WORDS = ["a", "b", "c", "d"]
TOKENS = ["", "\n", "Ġthe", "▁the", "👩‍👩‍👧", "שלום", "<b>&amp;", " ", "\ud83d", "\x1b[1m", "$$"]
TOKENS.append("‮abc")
NAN = float("nan")
THINGS = (None, "no", "", 0, -1, 2.5, True, [1], ["x"], (0, 0), {"a": 1}, object(), NAN, [[]])


def model():
    return DecoderLM(len(WORDS), 8, 2, 2, max_len=16).eval()


def read(text):
    places = [WORDS.index(word) if word in WORDS else 0 for word in text.split()]
    return torch.tensor([places]), text.split()


USUAL = {
    AttentionExplorer: lambda: {"scores": torch.zeros(2, 3, 3), "tokens": ["x", "y", "z"]},
    LiveDrawing: lambda: {"drawing": single_head()},
    MaskLab: lambda: {"tokens": ["x", "y", "z"]},
    ModelLab: lambda: dict(model=model(), encode=read, decode=WORDS.__getitem__, text="a b"),
    ReshapeStepper: dict,
    ScalingLab: dict,
    SentenceLab: lambda: {"models": model(), "words": WORDS, "text": "a b"},
    SoftLookup: lambda: {"keys": [[1.0, 0.0], [0.0, 1.0]], "names": ["x", "y"]},
}
ARGUMENTS = [
    (widget, name)
    for widget in USUAL
    for name in inspect.signature(widget.__init__).parameters
    if name != "self"
]
# An error about an argument may speak of the others that it must fit.
ALSO = {"keys": "names", "tokens": "key_tokens", "values": "scores"}


def refused(name, act):
    """What was refused, in words: the error's text. None where it was accepted."""
    try:
        act()
    except (TypeError, ValueError, traitlets.TraitError) as error:
        text = str(error)
        assert name in text or ALSO.get(name, name) in text, text
        assert " trait of " not in text and "got" in text, text
        return text
    return None


@pytest.mark.parametrize(
    ("widget", "name"), ARGUMENTS, ids=[f"{w.__name__} {name}" for w, name in ARGUMENTS]
)
def test_a_wrong_argument_is_named(widget, name):
    usual = USUAL[widget]()
    given = [usual | {name: thing} for thing in THINGS]
    texts = [refused(name, lambda arguments=each: widget(**arguments)) for each in given]
    assert len([text for text in texts if text]) >= 4, texts


@pytest.mark.parametrize("widget", USUAL, ids=lambda widget: widget.__name__)
def test_a_trait_that_is_set_later_is_named_and_the_old_value_stays(widget):
    one = widget(**USUAL[widget]())
    for name in one.traits(page=True):
        if name.startswith("_") or name == "answer":
            continue
        for thing in THINGS:
            before = getattr(one, name)
            if refused(name, lambda name=name, thing=thing: setattr(one, name, thing)):
                assert getattr(one, name) == before


@pytest.mark.parametrize(
    ("widget", "words", "arguments"),
    [
        (ScalingLab, "n_keys must be from 2 to 32, got 33", {"n_keys": 33}),
        (ScalingLab, "d_k_max must be a power of 2 up to 4096, got 100", {"d_k_max": 100}),
        (ScalingLab, "d_k_max must be a power of 2", {"d_k_max": 8192}),
        (ReshapeStepper, "seq_len must be at most 6, got 7", {"seq_len": 7}),
        (ReshapeStepper, "step must be from 0 to 5, got 6", {"step": 6}),
        (LiveDrawing, "drawing must know how its numbers are made", {"drawing": many_heads()}),
        (LiveDrawing, r"at must be \(\) or \(name, row, .* X, .* got", {"at": ("W_Q", 0, 0)}),
        (LiveDrawing, "at, row, must be from 0 to 7, got 8", {"at": ("Q", 8, 0)}),
        (LiveDrawing, "at, column, must be an integer, got '1'", {"at": ("Q", 7, "1")}),
        (MaskLab, "tokens must hold 1 to 12 tokens, got 13", {"tokens": ["a"] * 13}),
        (MaskLab, "padding must be from 0 to 3 tokens, got 4", {"padding": 4}),
        (MaskLab, "changed must be from 0 to 2, got 3", {"changed": 3}),
        (MaskLab, "query must be from 0 to 2, got 3", {"query": 3}),
        (SoftLookup, r"keys must have shape \(n, 2\), got \(2, 3\)", {"keys": torch.zeros(2, 3)}),
        (SoftLookup, "keys must have a floating dtype", {"keys": [[1, 0], [0, 1]]}),
        (SoftLookup, "keys must be finite, got 1", {"keys": [[1.0, math.nan], [0.0, 1.0]]}),
        (SoftLookup, r"keys must be finite, got 1 .* 1e\+06", {"keys": [[1e7, 0.0], [0.0, 1.0]]}),
        (SoftLookup, "one text for each of 2 keys, got 1", {"names": ["a"]}),
        (SoftLookup, "names must hold 1 to 12", {"names": ["a"] * 13}),
        (SoftLookup, "query must be two finite numbers, .* got", {"query": [1.0, math.nan]}),
        (SoftLookup, "query must be two finite numbers, .* got \\[1.0\\]", {"query": [1.0]}),
        (SoftLookup, "axes must hold the names of two directions, got \\['x'\\]", {"axes": ("x",)}),
    ],
)
def test_what_does_not_fit_is_named(widget, words, arguments):
    with pytest.raises((TypeError, ValueError, traitlets.TraitError), match=words):
        widget(**(USUAL[widget]() | arguments))


def test_what_does_not_fit_is_refused_later_too():
    for widget, name, value, words in (
        (MaskLab, "allowed", [[True], [False]], "3 rows of 3 booleans, got 2 rows of"),
        (ScalingLab, "draw", 101, "draw must be from 0 to 100, got 101"),
        (ScalingLab, "d_k", 48, "d_k must be a power of 2 up to 512, got 48"),
    ):
        with pytest.raises(traitlets.TraitError, match=words):
            setattr(widget(**USUAL[widget]()), name, value)


def test_numbers_of_numpy_and_torch_are_numbers():
    explorer = AttentionExplorer(torch.zeros(2, 3, 3), ["x", "y", "z"], head=torch.tensor(1))
    explorer.query = torch.arange(3).numpy()[2]
    assert (explorer.head, explorer.query) == (1, 2)
    assert SoftLookup(**USUAL[SoftLookup](), query=torch.tensor([0.5, 1.0])).query == [0.5, 1.0]


@pytest.mark.skipif(not HAS_ANYWIDGET, reason="anywidget is not installed")
@pytest.mark.parametrize("widget", [AttentionExplorer, MaskLab, SoftLookup])
def test_tokens_of_every_kind_are_shown(widget):
    count = len(TOKENS)
    one = {
        AttentionExplorer: lambda: AttentionExplorer(torch.zeros(count, count), TOKENS),
        MaskLab: lambda: MaskLab(TOKENS),
        SoftLookup: lambda: SoftLookup(torch.randn(count, 2), TOKENS, axes=("<b>size", "")),
    }[widget]()
    for text in (one.still(), one.to_html(), one._repr_mimebundle_()[0]["text/html"]):
        text.encode()
        assert "<b>" not in text and "Ġthe" in text and "(empty)" in text
