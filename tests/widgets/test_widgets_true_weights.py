"""No weight on the explorer's page is wrong by more than 0.005, whatever scores were accepted.

The numbers are those that the page's own modules compute: one node process reads what Python sends
for all cases.
"""

import json
import math
import re

import pytest
import torch

from course_lib import causal_mask
from course_lib.widgets import AttentionExplorer
from tools.notebooks.notebook_files import ROOT

MOST = 0.005
SCRIPT = ROOT / "tests" / "js" / "true_weights.mjs"
DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)
# (layers, heads, query_len, key_len): few numbers, which go as they are, and many
SHAPES = ((1, 1, 1, 1), (1, 2, 5, 5), (2, 3, 4, 9), (3, 4, 32, 32))
SPREADS = (0.0, 1e-3, 3.0, 40.0, 300.0, 2500.0)
TEMPERATURES = (10**-1.5, 1.0, 30.0)
FILLS = (-1e4, -65504.0, -1e5, -1e9, torch.finfo(torch.float32).min, -math.inf)

VALUES = 3 * torch.randn(9, 12, 16, 60, generator=torch.Generator().manual_seed(1))


def words(count):
    return [f"t{i}" for i in range(count)]


def explorer_of(scores, temperature=1.0, **arguments):
    keys = None if scores.shape[-2] == scores.shape[-1] else words(scores.shape[-1])
    arguments |= {"key_tokens": keys, "temperature": temperature}
    return AttentionExplorer(scores, words(scores.shape[-2]), **arguments)


def softmax(scores, temperature, allowed=None):
    """The true weights, float64: what is not allowed is left out, and rows without any are 0."""
    scores = scores.double()
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    scores = (scores - scores.amax(dim=-1, keepdim=True)) / temperature
    return torch.softmax(scores, dim=-1).nan_to_num(0.0)


def accepted_cases():
    """Explorers, and their true weights (layers, heads, ...)."""
    generator = torch.Generator().manual_seed(0)
    for number, spread in enumerate(SPREADS):
        for shape in SHAPES:
            dtype = DTYPES[number % len(DTYPES)]
            for temperature in TEMPERATURES:
                scores = spread * torch.randn(shape, generator=generator, dtype=torch.float64)
                scores = scores.clamp(-8000).to(dtype)
                yield explorer_of(scores, temperature), softmax(scores, temperature)
    for dtype in DTYPES:  # a fill, and a mask that says so
        for fill in FILLS:
            for shape in SHAPES[1:]:
                scores = 3 * torch.randn(shape, generator=generator)
                allowed = torch.rand(shape, generator=generator) < 0.6
                filled = scores.to(dtype).masked_fill(
                    ~allowed, max(fill, torch.finfo(dtype).min) if fill > -math.inf else fill
                )
                explorer = explorer_of(filled, mask=filled > -9000)
                yield explorer, softmax(scores.to(dtype), 1.0, allowed)
    scores = 3 * torch.randn(2, 8, 32, 32, generator=generator)
    causal = causal_mask(32)
    filled = scores.masked_fill(~causal, -1e9)
    yield explorer_of(filled, causal=True), softmax(scores, 1.0, causal)
    # Far above the others, far from 0, and finer than float32 can say.
    one_far = scores.index_fill(-1, torch.tensor([3]), 1e6)
    for far in (one_far, scores.double() + 1e7, scores.double() + 1e12):
        yield explorer_of(far, 0.05), softmax(far, 0.05)
    yield explorer_of(far[0], 1e-4), softmax(far[:1], 1e-4)  # colder than the slider
    shape = 9, 12, 16, 16
    scores, mask = (torch.randn(shape, generator=generator) for _ in range(2))
    mask = mask < 0.5
    mask[0, 1] = False  # a head that may look nowhere
    explorer = AttentionExplorer(scores, words(16), VALUES, mask=mask)
    yield explorer, softmax(scores, 1.0, mask)
    # Lists of layers, of scores and of finished weights.
    layers = [30 * torch.randn(2, 6, 6, generator=generator) for _ in range(3)]
    yield AttentionExplorer(layers, words(6)), softmax(torch.stack(layers), 1.0)
    for dtype in DTYPES:
        maps = (20 * torch.randn(3, 4, 40, 40, generator=generator)).softmax(-1).to(dtype)
        yield AttentionExplorer.from_weights([*maps.split(1)], words(40)), maps
    batch = (5 * torch.randn(3, 2, 7, 7, generator=generator)).softmax(-1)
    yield AttentionExplorer.from_weights(batch, words(7), batch=2), batch[2:]
    yield AttentionExplorer.from_weights(batch.tolist(), words(7)), batch
    rows = torch.tensor([[1 - 1 / 257, 0.0], [0.0, 0.0]])  # what bfloat16 may lose; an empty row
    yield AttentionExplorer.from_weights(rows.numpy(), words(2)), rows[None, None]


@pytest.fixture(scope="module")
def answers(run_node):
    cases = list(accepted_cases())
    states = [{name: getattr(one, name) for name in one.traits(page=True)} for one, _ in cases]
    found = json.loads(run_node(SCRIPT, sent=states))
    return [(*case, answer) for case, answer in zip(cases, found, strict=True)]


def test_what_the_page_computes_is_true(answers):
    assert len(answers) > 140
    bits = set()
    for explorer, truth, heads in answers:
        got = torch.tensor([head["weights"] for head in heads], dtype=torch.float64)
        error = (got - truth.double().reshape(got.shape)).abs().max()
        assert error <= MOST, (explorer.describe(), explorer.temperature, error)
        bits.add(explorer._data["scores"]["bits"])
    assert bits == {16, 32, 64}


def test_values_arrive_within_what_is_said(answers):
    [(explorer, heads)] = [(one, heads) for one, _, heads in answers if heads[0]["values"]]
    assert explorer._data["values"]["bits"] == 10
    got = torch.tensor([head["values"] for head in heads]).view(VALUES.shape)
    # What is said has two digits, and the last steps are float32.
    assert (got - VALUES).abs().max() <= 1.1 * explorer.rounding["values"] + 1e-6


def test_what_the_page_writes_is_true(answers):
    for _, truth, heads in answers:
        weights = truth.flatten().tolist()
        texts = [text for head in heads for text in head["texts"]]
        for weight, text in zip(weights, texts, strict=True):
            if text == "masked":
                assert weight == 0
            else:
                digits = 0.5 if "." not in text else 0.05
                assert abs(float(text[:-1]) - 100 * weight) <= 100 * MOST + digits + 1e-6


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("is_added", [False, True])
def test_a_fill_in_place_of_a_mask_is_refused_with_the_way_out(dtype, fill, is_added):
    scores, causal = torch.randn(2, 6, 6).to(dtype), causal_mask(6)
    fill = fill if fill == -math.inf else max(fill, torch.finfo(dtype).min)
    filled = scores + (~causal) * fill if is_added and fill > -math.inf else scores
    filled = filled if filled is not scores else scores.masked_fill(~causal, fill)
    with pytest.raises(ValueError, match=r"mask= \(True = may attend\) or causal=True") as error:
        explorer_of(filled)
    [way_out] = re.findall(r"mask=scores > (-\d+)", str(error.value))
    for arguments in ({"mask": filled > float(way_out)}, {"causal": True}):
        got = explorer_of(filled, **arguments).weights
        assert torch.allclose(got, softmax(scores[0], 1.0, causal), atol=1e-9)


def test_the_way_out_says_what_a_row_of_nothing_but_fills_has():
    scores = torch.randn(2, 6, 6)
    scores[1, 3] = -1e9
    with pytest.raises(ValueError, match=r"as at \(layer, head, query\) \(0, 1, 3\)") as error:
        explorer_of(scores)
    assert "even ones where all are alike" in str(error.value) and "draws none" in str(error.value)
    none = explorer_of(scores, mask=scores > -9000, head=1).weights[3]
    scores[1, 3], filled = 0, scores[1, 3].clone()
    even = explorer_of(scores, head=1).weights[3]
    assert (none == 0).all() and torch.equal(even, softmax(filled, 1.0))
    scores[1, 3] = -math.inf  # torch's softmax gives NaN
    with pytest.raises(ValueError, match="6 such numbers") as error:
        explorer_of(scores)
    assert "even" not in str(error.value)


def test_a_temperature_at_which_the_weights_would_be_false_is_refused():
    explorer = explorer_of(3 * torch.randn(1, 12, 40, 40))
    assert 0 < explorer.rounding["scores"] <= 2 * 10**-1.5 * MOST
    explorer.temperature = 10**-1.5
    with pytest.raises(Exception, match=r"temperature must be at least 0\.0\d+: .* got 0\.0001"):
        explorer.temperature = 1e-4
    assert explorer_of(torch.randn(1, 12, 40, 40), 1e-4).temperature == 1e-4
