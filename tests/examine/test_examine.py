"""examine_layer: right layers pass, wrong ones are found, and no mistake is named that is not."""

import html
import math
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import course_lib
from course_checks import examine_layer
from course_checks.examine.measuring import Probe
from course_checks.examine.mistakes import SENTENCES
from course_checks.examine.report import FAILED, NAN, NOT_APPLICABLE, PASSED, WARNING
from course_checks.examine.sharing import _growth_of_alone
from tests.examine import brought_layers
from tests.examine.layer_zoo import WRONG, D, self_attention, tril

MULTI_HEAD = course_lib.MultiHeadAttention
ROTARY = course_lib.RotaryEmbedding
MAY = {"true_means": "may attend"}
BLOCKED = {"true_means": "blocked"}
CAUSAL = {"is_causal": True, "causal_argument": "is_causal"}


class Toy(nn.Module):
    """Attention with any set of mistakes; masks are boolean, True = may attend."""

    def __init__(self, d_model=12, num_heads=2, mistakes=()):
        super().__init__()
        self.heads, self.mistakes = num_heads, set(mistakes)
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))
        if "ignores_input" in self.mistakes:
            nn.init.zeros_(self.o.weight)

    def split(self, x):
        batch, length, d_model = x.shape
        shape = (batch, length, self.heads, d_model // self.heads)
        if "heads_split" in self.mistakes:
            return x.reshape(batch, self.heads, length, -1)
        return x.view(shape).transpose(1, 2)  # (batch, heads, length, head_dim)

    def causal(self, query_len, key_len, need_weights):
        shift = 0 if "aligned_to_start" in self.mistakes else key_len - query_len
        shift += ("causal_too_wide" in self.mistakes) - ("causal_strict" in self.mistakes)
        allowed = torch.ones(query_len, key_len, dtype=torch.bool).tril(shift)
        if "causal_inverted" in self.mistakes:
            allowed = ~allowed
        if "dropped_on_one_path" in self.mistakes and need_weights:
            allowed = torch.ones_like(allowed)
        return torch.ones_like(allowed) if "no_causal_mask" in self.mistakes else allowed

    def forward(self, query, key=None, value=None, mask=None, padding_mask=None,
                is_causal=False, need_weights=False):  # fmt: skip
        key = query if key is None else key
        if "changes_input" in self.mistakes:
            query *= 1.5
        if "batch_and_length" in self.mistakes:
            query, key = query.transpose(0, 1), key.transpose(0, 1)
        q, k, v = self.split(self.q(query)), self.split(self.k(key)), self.split(self.v(key))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        query_len, key_len = scores.shape[-2:]
        hidden = weak = late = torch.zeros(query_len, key_len, dtype=torch.bool)
        if is_causal:
            blocked = ~self.causal(query_len, key_len, need_weights)
            late = late | blocked if "causal_late" in self.mistakes else late
            weak = weak | blocked if "causal_weak" in self.mistakes else weak
            if not self.mistakes & {"causal_late", "causal_weak"}:
                hidden = hidden | blocked
        if mask is not None:
            blocked = mask if "mask_inverted" in self.mistakes else ~mask
            blocked = blocked.mT if "mask_transposed" in self.mistakes else blocked
            late = late | blocked if "mask_late" in self.mistakes else late
            weak = weak | blocked if "mask_weak" in self.mistakes else weak
            if not self.mistakes & {"mask_late", "mask_weak", "mask_ignored"}:
                hidden = hidden | blocked
        if padding_mask is not None and "padding_ignored" not in self.mistakes:
            real = ~padding_mask if "padding_inverted" in self.mistakes else padding_mask
            rows = "padding_on_queries" in self.mistakes
            hidden = hidden | (~real[:, None, :, None] if rows else ~real[:, None, None])
        if "only_itself" in self.mistakes:
            own = torch.ones_like(hidden).tril(key_len - query_len).triu(key_len - query_len)
            hidden = hidden | ~own
        filling = -1e9 if "finite_fill" in self.mistakes else -math.inf
        if weak.any():
            scores = scores - 10.0 * weak
        scores = scores.masked_fill(hidden, filling)
        weights = torch.softmax(scores, dim=-2 if "softmax_axis" in self.mistakes else -1)
        if "causal_strict" not in self.mistakes:
            weights = weights.nan_to_num(0.0)
        weights = weights * ~late if late.any() else weights
        if "random" in self.mistakes:
            weights = F.dropout(weights, 0.3)
        heads = weights @ v
        joined = heads.transpose(1, 2).flatten(2)
        if self.mistakes & {"heads_joined", "heads_split"}:
            joined = heads.reshape(query.shape)
        output = self.o(joined)
        if "batch_and_length" in self.mistakes:
            output = output.transpose(0, 1)
        shown = scores if "scores_returned" in self.mistakes else weights
        return output, shown if need_weights else None


MISTAKES = ["random", "changes_input", "ignores_input", "batch_and_length", "heads_joined"]
MISTAKES += ["heads_split", "only_itself", "no_causal_mask", "causal_inverted", "causal_too_wide"]
MISTAKES += ["causal_strict", "causal_late", "causal_weak", "softmax_axis", "mask_inverted"]
MISTAKES += ["mask_transposed", "mask_ignored", "mask_late", "mask_weak", "padding_ignored"]
MISTAKES += ["padding_on_queries", "padding_inverted", "aligned_to_start", "dropped_on_one_path"]
MISTAKES += ["scores_returned"]


def examine_toy(*mistakes, seed=0, size=(12, 2), dtype=torch.float32):
    torch.manual_seed(seed)
    return examine_layer(Toy(*size, mistakes).to(dtype), size[0], seed=seed, **CAUSAL, **MAY)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found_and_called_by_its_name(mistake):
    for seed, (size, dtype) in enumerate((((12, 2), torch.float32), ((24, 3), torch.float64))):
        report = examine_toy(mistake, seed=seed, size=size, dtype=dtype)
        assert not report.passed, size
        assert [*report.looks_like] == [mistake], (size, str(report))


STEPS = (1, 5)  # to those in the list that a mistake is tried with: it meets four


@pytest.mark.parametrize("first", MISTAKES)
def test_of_two_mistakes_no_third_is_named(first):
    for other in ([*MISTAKES, *MISTAKES][MISTAKES.index(first) + step] for step in STEPS):
        if {first, other} == {"causal_too_wide", "causal_strict"}:
            continue  # one step too far and one too short: together they are right
        report = examine_toy(first, other)
        assert not report.passed, other
        known = {first, other, *({"hides_everything"} if first == "only_itself" else ())}
        assert {*report.looks_like} <= known, (other, str(report))


# --- right layers -------------------------------------------------------------------------------


def heads_of(x, num_heads=4):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)  # (batch, heads, length, head_dim)


def around_sdpa(x, attn_mask=None):
    """A plain function; its mask's True means may attend."""
    q = heads_of(x)
    return F.scaled_dot_product_attention(q, q, q, attn_mask=attn_mask).transpose(1, 2).flatten(2)


def windowed(x):
    """Causal, and no further back than two tokens."""
    length = x.shape[1]
    return around_sdpa(x, torch.ones(length, length, dtype=torch.bool).tril().triu(-2))


def with_a_required_mask(x, mask):
    return around_sdpa(x, mask)


def with_a_mask_of_four_dimensions(x, mask=None):
    if mask is not None and mask.dim() != 4:
        raise ValueError("four dimensions, please")
    return around_sdpa(x, mask)


TORCHS = nn.TransformerEncoderLayer
RIGHT = {
    "ours": (lambda: MULTI_HEAD(32, 4), MAY),
    "ours causal": (lambda: MULTI_HEAD(32, 4, dropout=0.5), CAUSAL | MAY),
    "ours grouped": (lambda: MULTI_HEAD(32, 4, num_kv_heads=2), CAUSAL | MAY),
    "ours rotary": (
        lambda: MULTI_HEAD(32, 4, rotary=ROTARY(8)),
        CAUSAL | MAY | {"has_positions": True},
    ),
    "ours, always causal": (
        lambda: MULTI_HEAD(32, 4),
        {"is_causal": True, "options": {"is_causal": True}, **MAY},
    ),
    "torch": (lambda: nn.MultiheadAttention(32, 4, batch_first=True), {}),
    "torch, masks": (lambda: nn.MultiheadAttention(32, 4, batch_first=True), BLOCKED),
    "torch, length first": (
        lambda: nn.MultiheadAttention(32, 4),
        {"batch_first": False, **BLOCKED},
    ),
    "torch, encoder": (lambda: TORCHS(32, 4, 64, batch_first=True), BLOCKED),
    "torch, encoder, norm first": (
        lambda: TORCHS(32, 4, 64, norm_first=True),
        {"batch_first": False, **BLOCKED},
    ),
    "function": (lambda: around_sdpa, MAY),
    "SDPA itself": (
        lambda: F.scaled_dot_product_attention,
        {"num_inputs": 3, "mask_argument": "attn_mask", **MAY},
    ),
    "window": (lambda: windowed, {"is_causal": True}),
    "one sequence": (lambda: lambda x: around_sdpa(x[None])[0], {"batched": False}),
    "mapping": (lambda: lambda x: {"other": 3, "output": around_sdpa(x)}, {}),
    "required mask": (lambda: with_a_required_mask, MAY),
    "another name": (
        lambda: lambda x, who: around_sdpa(x, ~who),
        {"mask_argument": "who", **BLOCKED},
    ),
    "mask of four": (lambda: with_a_mask_of_four_dimensions, MAY),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_layer_fails_nothing(name):
    make, options = RIGHT[name]
    torch.manual_seed(0)
    report = examine_layer(make(), 32, **{"is_causal": False} | options)
    assert report.passed and not report.looks_like, str(report)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
def test_a_right_layer_of_another_dtype_fails_nothing(dtype):
    for seed in range(2):
        torch.manual_seed(seed)
        report = examine_layer(MULTI_HEAD(32, 4, dtype=dtype), 32, seed=seed, **CAUSAL, **MAY)
        assert report.passed, str(report)


def test_every_test_runs_on_a_layer_that_has_everything():
    assert {finding.status for finding in examine_toy().findings} == {"passed"}


def test_what_does_not_apply_says_why():
    report = examine_layer(windowed, 32, is_causal=True)
    why = {f.test: f.words for f in report.findings if f.status == NOT_APPLICABLE}
    assert "knows an order" in why["equivariance"]
    assert "takes no keys" in why["more keys than queries"]
    assert "mask_argument=" in why["mask"] and "true_means=" in why["mask"]
    asks = examine_layer(around_sdpa, 32, is_causal=False)["mask"]
    assert asks.status == NOT_APPLICABLE and "Does True in attn_mask mean" in asks.words


def test_nan_in_an_empty_row_and_looking_at_all_are_warnings():
    torch.manual_seed(0)
    torchs = examine_layer(
        nn.MultiheadAttention(32, 4, batch_first=True), 32, is_causal=False, **BLOCKED
    )
    assert torchs["empty rows"].status == WARNING and torchs.passed
    filled = examine_toy("finite_fill")
    assert filled["empty rows"].status == WARNING and filled.passed
    assert "-1e9" in filled["empty rows"].words


# --- what is said of a layer --------------------------------------------------------------------


class DropsTheMask(nn.Module):
    """Causal on the fused path; the path that returns weights has forgotten the mask."""

    def __init__(self, d_model=32):
        super().__init__()
        self.qkv = nn.Linear(d_model, 3 * d_model)

    def forward(self, x, return_attention_scores=False):
        q, k, v = map(heads_of, self.qkv(x).chunk(3, dim=-1))
        if not return_attention_scores:
            heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            return heads.transpose(1, 2).flatten(2)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
        return (weights @ v).transpose(1, 2).flatten(2), weights


class OneHead(nn.Module):
    """One sequence, one head, and a causal mask that may be inverted: its last row is nan."""

    def __init__(self, d_model=16):
        super().__init__()
        self.qkv = nn.Linear(d_model, 3 * d_model)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        allowed = torch.ones(len(x), len(x), dtype=torch.bool).tril()
        return torch.softmax((q @ k.T).masked_fill(allowed, -math.inf), dim=-1) @ v


def test_nan_hides_no_other_mistake():
    torch.manual_seed(0)
    report = examine_layer(OneHead(), 16, is_causal=True, batched=False)
    assert "Output 5 is nan" in report["same input twice"].words
    failed = {finding.test for finding in report.findings if finding.status == FAILED}
    assert failed == {"same input twice", "leak test"}
    assert report["averages"].status == PASSED  # of the rows that are numbers
    assert [*report.looks_like] == ["causal_inverted"], str(report)
    # Of the row that is nan nothing is said that could not be compared.
    picture = report["leak test"].picture
    assert set(picture.cells[-1]) == {NAN}
    assert not any(NAN in row for row in picture.cells[:-1])
    assert "nothing to compare" in picture.meanings[NAN]


def test_weights_that_each_key_shares_out_are_called_so():
    assert "Each key's weights sum to 1" in examine_toy("softmax_axis")["weights"].words


ADVICE = {
    "blocks": (lambda i, j: j // 3 <= i // 3, {"is_causal": True}),
    "windows": (lambda i, j: (i - j).abs() <= 2, {"is_causal": False}),
}


@pytest.mark.parametrize("name", ADVICE)
def test_what_a_report_says_to_pass_makes_the_next_one_better(name):
    rule, options = ADVICE[name]
    torch.manual_seed(0)
    layer = self_attention(brought_layers.seeing(rule))
    first = examine_layer(layer, 32, **options)
    said = dict(re.findall(r"(is_causal|has_positions)=(True|False)", str(first)))
    second = examine_layer(layer, 32, **options | {k: v == "True" for k, v in said.items()})
    assert not first.passed and said and second.passed, (str(first), str(second))


@pytest.mark.parametrize("make", [brought_layers.LayerScale, brought_layers.ReZero])
def test_a_layer_that_was_looked_at_in_float64_is_left_as_it_was(make):
    layer = make()
    before = {name: tensor.clone() for name, tensor in layer.state_dict().items()}
    parameters = list(layer.parameters())
    report = examine_layer(layer, 32, is_causal=make is brought_layers.LayerScale)
    assert report["small shares"].words
    assert all(a is b for a, b in zip(parameters, layer.parameters(), strict=True))
    for name, tensor in layer.state_dict().items():
        assert tensor.dtype == torch.float32 and torch.equal(tensor, before[name]), name


def test_inputs_the_other_way_round_are_told_with_the_code_that_turns_them():
    torch.manual_seed(0)
    layer = brought_layers.MemoryFirst()
    text = examine_layer(layer, 32, is_causal=False, num_inputs=2)["memory"].words
    turned = eval(text[text.index("lambda") :].rstrip("."), {"layer": layer})
    assert examine_layer(turned, 32, is_causal=False).passed


# --- what goes in, and what stays as it was -------------------------------------------------------


def test_bad_arguments_are_named():
    def two(x, other):
        return x + other

    def wrong_shape(x):
        return x[:, :1]

    def only_nine(x):
        return around_sdpa(x + torch.zeros(9, 1))

    wanted = [
        (TypeError, "d_model", {"d_model": 3.0}),
        (TypeError, "layer must be a module or a function, got int", {"layer": 3}),
        (TypeError, "is_causal must be True or False, got None", {"is_causal": None}),
        (ValueError, 'true_means must be "may attend" or "blocked"', {"true_means": "keep"}),
        (ValueError, "mask_argument must name an argument", {"mask_argument": "m", **MAY}),
        (ValueError, 'mask_argument="attn_mask" needs true_means', {"mask_argument": "attn_mask"}),
        (ValueError, "num_inputs must be 1", {"num_inputs": 4}),
        (ValueError, "length must be a whole number from 6 on", {"length": 4}),
        (ValueError, "pass length=", {"layer": only_nine}),
        (ValueError, "it takes x, other", {"layer": two}),
        (ValueError, "cannot be read off it", {"layer": F.scaled_dot_product_attention}),
        (ValueError, "cannot be called without mask", {"layer": with_a_required_mask}),
        (ValueError, 'pass causal_argument="is_causal"', {"layer": Toy(32), "is_causal": True}),
        (ValueError, "must return an output of the shape", {"layer": wrong_shape}),
        (ValueError, "layer must take tensors of shape", {"layer": MULTI_HEAD(16, 2)}),
        (TypeError, "dtype must be one of", {"dtype": torch.int64}),
        (ValueError, "tolerance must be above 0", {"tolerance": 0.0}),
    ]
    for error, words, changed in wanted:
        options = {"layer": around_sdpa, "d_model": 32, "is_causal": False} | changed
        with pytest.raises(error, match=re.escape(words)):
            examine_layer(**options)


class Counts(nn.Module):
    """Counts its calls in a buffer, and draws a random number in each."""

    def __init__(self):
        super().__init__()
        self.attention = MULTI_HEAD(32, 4)
        self.dropout = nn.Dropout(0.5).eval()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        torch.rand(1)
        return self.attention(self.dropout(x))


def test_the_layer_is_left_as_it_was():
    layer = Counts()
    layer.train()
    layer.dropout.eval()
    before = {name: tensor.clone() for name, tensor in layer.state_dict().items()}
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    assert examine_layer(layer, 32, is_causal=False).passed
    assert torch.equal(torch.rand(3), expected)
    assert layer.training and layer.attention.training and not layer.dropout.training
    assert all(torch.equal(before[name], tensor) for name, tensor in layer.state_dict().items())
    assert all(parameter.grad is None for parameter in layer.parameters())


def test_the_layer_is_left_as_it_was_when_it_stops_with_an_error():
    layer = MULTI_HEAD(16, 2).train()
    with pytest.raises(ValueError):
        examine_layer(layer, 32, is_causal=False)
    assert layer.training


def test_a_module_behind_a_function_is_put_into_eval_mode_and_back():
    layer = MULTI_HEAD(32, 4, dropout=0.5).train()

    def around(x):
        return layer(x)

    for function in (around, lambda x: around(x), layer.forward):
        assert examine_layer(function, 32, is_causal=False, num_inputs=1).passed
        assert layer.training


def test_what_remembers_is_not_called_random():
    class Counting(nn.Module):
        count = 0

        def forward(self, x):
            self.count += 1
            return around_sdpa(x) + self.count

    report = examine_layer(Counting(), 32, is_causal=False)
    assert "remembers something" in report["same input twice"].words
    assert not report.looks_like and "everything" in report.not_tested


def test_a_layer_that_stops_in_one_test_is_still_examined():
    def refuses_masks(x, attn_mask=None):
        if attn_mask is not None:
            raise RuntimeError("no masks today")
        return around_sdpa(x)

    report = examine_layer(refuses_masks, 32, is_causal=False, **MAY)
    assert report["mask"].status == FAILED and "no masks today" in report["mask"].words
    assert report["other tokens"].status == "passed"


# --- the report -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mistakes", [(), ("causal_inverted",), ("causal_strict",), ("random",)])
def test_pictures_and_text_say_the_same(mistakes):
    report = examine_toy(*mistakes)
    page = report._repr_html_()
    for finding in report.findings:
        assert html.escape(finding.words) in page
        assert finding.words in str(report) and finding.test in str(report)
        if finding.picture is None:
            continue
        signs = [sign for row in finding.picture.cells for sign in row]
        assert re.findall(r"<td[^>]*>(.)</td>", finding.to_html()) == signs
        assert finding.to_html() in page
        assert finding.picture.legend().keys() == set(signs)
        if finding.status == FAILED:
            for row in finding.picture.cells:
                assert "    " + " ".join(row) in str(finding)
    assert "nan" not in re.sub(r"(is|no|one|for|\?) nan", "", page)
    for sentence in (*report.looks_like.values(), *report.not_tested.values()):
        assert sentence in str(report) and html.escape(sentence) in page


def test_the_last_words_are_what_was_not_tested():
    lines = str(examine_toy()).splitlines()
    open_lines = [line for line in lines if line.startswith("– not tested: ")]
    assert open_lines and lines[-len(open_lines) :] == open_lines
    for word in ("the scale", "the width of a window", "caches: none was handed in"):
        assert any(word in line for line in open_lines)


def test_arguments_that_were_left_alone_are_named_and_caches_apart():
    def with_more(x, past_key_values=None, kv=None, loudness=1.0):
        return around_sdpa(x) * loudness

    listed = examine_layer(with_more, 32, is_causal=False).not_tested
    assert "past_key_values, kv stayed empty" in listed["caches"]
    assert listed["arguments"] == "arguments that were left alone: loudness."


def test_a_leak_below_the_tolerance_is_listed_as_not_tested():
    def filled(scores):
        return scores.masked_fill(~tril(scores.shape[-1]), -20.0).softmax(dim=-1)

    torch.manual_seed(0)
    report = examine_layer(self_attention(filled), D, is_causal=True)
    assert report.passed
    assert "a mask that fills with -20" in report.not_tested["tolerance"]


def test_the_numbers_in_the_words_are_those_of_the_picture():
    leak = examine_toy("causal_too_wide")["leak test"]
    rows = enumerate(leak.picture.cells)
    pairs = [(i, j) for i, row in rows for j, sign in enumerate(row) if sign == "✘"]
    assert pairs == [(i, i + 1) for i in range(5)]
    assert "Changing token 1 changes output 0" in leak.words and "5 of 15" in leak.words
    differ = [found.words for found in examine_toy("random").findings if "differ." in found.words]
    assert differ and all(re.search(r" \d+ of \d+ outputs differ\.", words) for words in differ)


@pytest.mark.parametrize("d_model, length", [(6, 7), (7, 6)])
def test_no_size_is_taken_for_another(d_model, length):
    given = {"is_causal": False, "device": "cpu", "dtype": torch.float32, "tolerance": None}
    assert Probe(SimpleNamespace(weights_argument=None), d_model, seed=0, **given).length == length


def test_nan_that_comes_or_goes_is_a_change_and_nan_that_stays_is_none():
    number, nan = torch.ones(1, 1), torch.full((1, 1), math.nan)
    pairs = ((nan, number), (number, nan), (nan, nan))
    assert [Probe.change(None, *pair).item() for pair in pairs] == [math.inf, math.inf, 0]


def test_how_much_a_token_grows_is_told_without_the_bias():
    probe = SimpleNamespace(draw=lambda n: torch.randn(3, n, D), output=lambda x, _: 50 + x)
    assert _growth_of_alone(probe, None, 1.0) == pytest.approx(10, rel=1e-3)


def test_a_report_answers_to_the_name_of_a_test_only():
    with pytest.raises(KeyError, match="leak test"):
        examine_toy()["leaks"]


def test_the_same_seed_gives_the_same_report():
    torch.manual_seed(0)
    layer = Toy(mistakes=["mask_transposed"])
    first, second, other = (
        examine_layer(layer, 12, is_causal=False, seed=seed, **MAY) for seed in (1, 1, 3)
    )
    assert str(first) == str(second)
    assert first["mask"].picture != other["mask"].picture


def test_the_library_page_shows_what_comes_out():
    page = (Path(__file__).parents[2] / "docs" / "library.md").read_text("utf-8")
    torch.manual_seed(0)
    shown = str(examine_layer(DropsTheMask(), 32, is_causal=True))
    assert shown[: shown.index("✘ both paths")] in page
    assert {*SENTENCES} <= {*MISTAKES} | {name for case in WRONG.values() for name in case.named}
    assert f"Of {len(SENTENCES) + 1} mistakes" in page  # and a mask that one path drops
