"""MultiHeadAttention: both paths against float64 loops, torch's module and its properties."""

import copy
import re

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib import (
    MultiHeadAttention,
    RotaryEmbedding,
    SingleHead,
    causal_mask,
    merge_heads,
    padding_mask,
    separate_heads,
)
from course_lib.model.conversion import attention_from_torch, attention_to_torch
from reference_attention import PROPERTY, Case, cases, modules

TOLERANCES = {
    torch.float64: 1e-12,
    torch.float32: 1e-5,
    torch.float16: 1e-2,
    torch.bfloat16: 8e-2,
}


def close(actual, expected, atol):
    torch.testing.assert_close(actual.double(), expected.double(), atol=atol, rtol=atol)


# --- both paths and the truth ------------------------------------------------------------------


@PROPERTY
@given(cases(), st.sampled_from(list(TOLERANCES)))
def test_both_paths_match_float64(case, dtype):
    output, weights = case.expected(dtype)
    fused, no_weights = case.run(dtype)
    shown, shown_weights = case.run(dtype, need_weights=True)
    assert no_weights is None
    assert fused.dtype == shown.dtype == shown_weights.dtype == dtype
    assert fused.shape == shown.shape == case.query.shape
    close(fused, output, TOLERANCES[dtype])
    close(shown, output, TOLERANCES[dtype])
    close(shown_weights, weights, TOLERANCES[dtype])
    with torch.no_grad():  # computed in place
        output_in_place, weights_in_place = case.run(dtype, need_weights=True)
    assert torch.equal(output_in_place, shown) and torch.equal(weights_in_place, shown_weights)


@PROPERTY
@given(cases())
def test_both_paths_have_the_same_finite_gradients(case):
    probe = torch.randn_like(case.query)
    gradients = []
    for need_weights in (False, True):
        inputs = [x for x in (case.query, case.key, case.value) if x is not None]
        for x in inputs:
            x.requires_grad_(True)
        output, _ = case.run(need_weights=need_weights)
        found = torch.autograd.grad(
            (output * probe).sum(), [*inputs, *case.module.parameters()], allow_unused=True
        )
        gradients.append([torch.zeros(()) if g is None else g for g in found])
    for fused, shown in zip(*gradients, strict=True):
        assert fused.isfinite().all()
        close(fused.expand_as(shown), shown.expand_as(fused), 1e-11)


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_a_row_with_nothing_to_attend_to_gives_zeros(dtype, need_weights, dropout):
    module = MultiHeadAttention(16, 4, dropout=dropout, dtype=dtype)
    nn.init.normal_(module.out_proj.bias)
    x = torch.randn(2, 6, 16, dtype=dtype, requires_grad=True)
    mask = torch.rand(2, 1, 6, 6) < 0.6
    mask[:, :, 3] = False
    output, weights = module(x, mask=mask, need_weights=need_weights)
    assert torch.equal(output[:, 3], module.out_proj.bias.expand(2, 16))
    if need_weights:
        assert weights[:, :, 3].count_nonzero() == 0
    with torch.autograd.set_detect_anomaly(True):  # refuses NaN in the steps between, too
        output.float().square().sum().backward()
    for tensor in (x, *module.parameters()):
        assert tensor.grad.isfinite().all()


def test_an_empty_row_gives_nan_in_torch_with_weights():
    """The reason for the care above: the student sees torch's own module fail here."""
    module = MultiHeadAttention(16, 4)
    x, hidden = torch.randn(1, 3, 16), torch.ones(3, 3, dtype=torch.bool)
    assert attention_to_torch(module)(x, x, x, attn_mask=hidden)[0].isnan().all()
    assert module(x, mask=~hidden, need_weights=True)[0].isfinite().all()


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("batch, query_len, key_len", [(0, 3, 4), (2, 0, 4), (2, 3, 0), (2, 0, 0)])
@pytest.mark.parametrize("is_causal", [False, True])
def test_empty_inputs(need_weights, batch, query_len, key_len, is_causal):
    module = MultiHeadAttention(16, 4)
    nn.init.normal_(module.out_proj.bias)
    query, key = torch.randn(batch, query_len, 16), torch.randn(batch, key_len, 16)
    output, weights = module(query, key, is_causal=is_causal, need_weights=need_weights)
    assert output.shape == (batch, query_len, 16)
    if key_len == 0:
        assert torch.equal(output, module.out_proj.bias.expand_as(output))
    if need_weights:
        assert weights.shape == (batch, 4, query_len, key_len)


def test_weights_are_per_head_and_sum_to_one():
    module = MultiHeadAttention(16, 4)
    _, weights = module(torch.randn(2, 5, 16), is_causal=True, need_weights=True)
    assert weights.shape == (2, 4, 5, 5)
    close(weights.sum(-1), torch.ones(2, 4, 5), 1e-6)
    assert weights.triu(1).count_nonzero() == 0
    assert (weights[:, 0] - weights[:, 1]).abs().max() > 0.01


# --- properties --------------------------------------------------------------------------------


@PROPERTY
@given(cases(kinds=("self",), masks=("none",)), st.booleans(), st.randoms(use_true_random=False))
def test_permuted_tokens_give_permuted_outputs(case, need_weights, random):
    case.is_causal = False
    order = list(range(case.query.shape[1]))
    random.shuffle(order)
    output, _ = case.run(need_weights=need_weights)
    case.query = case.query[:, order]
    close(case.run(need_weights=need_weights)[0], output[:, order], 1e-12)


@PROPERTY
@given(modules(), st.integers(1, 17), st.data(), st.booleans())
def test_a_later_token_moves_no_earlier_output(module, length, data, need_weights):
    changed = data.draw(st.integers(0, length - 1))
    x = torch.randn(2, length, module.d_model, dtype=torch.float64)
    before, _ = module(x, is_causal=True, need_weights=need_weights)
    x[:, changed] += torch.randn(module.d_model, dtype=torch.float64)
    after, _ = module(x, is_causal=True, need_weights=need_weights)
    close(after[:, :changed], before[:, :changed], 1e-13)
    assert not torch.allclose(after[:, changed:], before[:, changed:])


@PROPERTY
@given(modules(), st.lists(st.integers(0, 9), min_size=1, max_size=4), st.booleans(), st.booleans())
def test_padded_equals_trimmed(module, lengths, is_causal, need_weights):
    x = torch.randn(len(lengths), 9, module.d_model, dtype=torch.float64)
    options = {"is_causal": is_causal, "need_weights": need_weights}
    padded, _ = module(x, mask=padding_mask(lengths, 9), **options)
    for row, length in enumerate(lengths):
        trimmed, _ = module(x[row : row + 1, :length], **options)
        close(padded[row : row + 1, :length], trimmed, 1e-12)


@PROPERTY
@given(modules(), st.integers(0, 9), st.booleans())
def test_batch_entries_do_not_mix(module, length, need_weights):
    x = torch.randn(3, length, module.d_model, dtype=torch.float64)
    together, _ = module(x, need_weights=need_weights)
    alone = [module(x[i : i + 1], need_weights=need_weights)[0] for i in range(3)]
    close(together, torch.cat(alone), 1e-12)


@pytest.mark.parametrize("query_len, key_len", [(1, 6), (3, 6), (6, 3)])
@pytest.mark.parametrize("with_mask", [False, True])
def test_is_causal_is_the_causal_mask_for_any_lengths(query_len, key_len, with_mask):
    """torch's own is_causal is aligned to the start, so that a new query would see key 0 only."""
    module = MultiHeadAttention(16, 4, dtype=torch.float64)
    query, key = (torch.randn(2, n, 16, dtype=torch.float64) for n in (query_len, key_len))
    mask = torch.rand(2, 1, query_len, key_len) < 0.7 if with_mask else None
    triangle = causal_mask(query_len, key_len)
    both = triangle if mask is None else mask & triangle
    for need_weights in (False, True):
        by_flag, _ = module(query, key, mask=mask, is_causal=True, need_weights=need_weights)
        by_mask, _ = module(query, key, mask=both, need_weights=need_weights)
        close(by_flag, by_mask, 1e-12)


# --- some of the heads -------------------------------------------------------------------------


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("num_kv_heads", [6, 3])
@pytest.mark.parametrize("mask_name", ["none", "for all heads", "for each head"])
def test_projections_of_some_heads_give_their_part_of_the_sum(
    need_weights, num_kv_heads, mask_name
):
    module = MultiHeadAttention(24, 6, num_kv_heads=num_kv_heads, bias=False, dtype=torch.float64)
    x, masks = torch.randn(2, 5, 24, dtype=torch.float64), {"none": None}
    masks["for all heads"] = torch.rand(2, 1, 5, 5) < 0.6
    masks["for each head"] = torch.rand(2, 6, 5, 5) < 0.6
    mask = masks[mask_name]
    options = {"is_causal": True, "need_weights": need_weights}
    expected, expected_weights = module(x, mask=mask, **options)
    total, weights, group = torch.zeros_like(x), [], 6 // num_kv_heads
    for first, last in ((0, 2), (2, 6)):  # two heads here, four there
        part = copy.deepcopy(module)
        wide, narrow = slice(first * 4, last * 4), slice(first // group * 4, last // group * 4)
        for name, rows in (("q_proj", wide), ("k_proj", narrow), ("v_proj", narrow)):
            getattr(part, name).weight = nn.Parameter(getattr(module, name).weight[rows])
        part.out_proj.weight = nn.Parameter(module.out_proj.weight[:, wide])
        of_heads = mask if mask_name != "for each head" else mask[:, first:last]
        output, part_weights = part(x, mask=of_heads, **options)
        total, weights = total + output, [*weights, part_weights]
    close(total, expected, 1e-12)
    if need_weights:
        close(torch.cat(weights, dim=1), expected_weights, 1e-12)


# --- dropout -----------------------------------------------------------------------------------


def test_dropout_only_in_training_and_weights_come_before_it():
    module = MultiHeadAttention(16, 4, dropout=0.5)
    x = torch.randn(4, 12, 16)
    plain, weights = module.eval()(x, need_weights=True)
    assert torch.equal(module(x)[0], module(x)[0])
    dropped, dropped_weights = module.train()(x, need_weights=True)
    close(dropped_weights, weights, 1e-7)
    assert not torch.allclose(dropped, plain, atol=1e-3)
    assert not torch.equal(module(x)[0], module(x)[0])


@pytest.mark.parametrize("need_weights", [False, True])
def test_dropout_keeps_the_mean(need_weights):
    torch.manual_seed(0)
    module = MultiHeadAttention(8, 2, dropout=0.3)
    x = torch.randn(1, 6, 8)
    plain, _ = module.eval()(x)
    module.train()
    many, _ = module(x.expand(20000, -1, -1), need_weights=need_weights)
    error = many.std(0) / 20000**0.5
    assert ((many.mean(0, keepdim=True) - plain).abs() < 6 * error).all()


# --- other forms of the same numbers -----------------------------------------------------------


@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("cross", [True, False])
def test_from_torch_gives_the_same_output_and_weights(batch_first, bias, cross):
    theirs = nn.MultiheadAttention(24, 4, bias=bias, batch_first=batch_first, dtype=torch.float64)
    if bias:
        nn.init.normal_(theirs.in_proj_bias)
        nn.init.normal_(theirs.out_proj.bias)
    ours = attention_from_torch(theirs)
    query = torch.randn(3, 5, 24, dtype=torch.float64)
    key = torch.randn(3, 7, 24, dtype=torch.float64) if cross else query
    mask = torch.rand(5, key.shape[1]) < 0.6
    mask[:, 0] = True
    inputs = (query, key, key) if batch_first else [x.transpose(0, 1) for x in (query, key, key)]
    expected, expected_weights = theirs(*inputs, attn_mask=~mask, average_attn_weights=False)
    if not batch_first:
        expected = expected.transpose(0, 1)
    output, weights = ours(query, key if cross else None, mask=mask, need_weights=True)
    close(output, expected, 1e-12)
    close(weights, expected_weights, 1e-12)
    close(ours(query, key if cross else None, mask=mask)[0], expected, 1e-12)


def test_from_torch_shares_nothing_and_keeps_settings():
    theirs = nn.MultiheadAttention(16, 4, dropout=0.25, dtype=torch.float64).eval()
    ours = attention_from_torch(theirs)
    assert ours.dropout == 0.25 and not ours.training and ours.q_proj.weight.dtype == torch.float64
    nn.init.zeros_(theirs.in_proj_weight)
    assert ours.q_proj.weight.abs().min() > 0


@pytest.mark.parametrize("bias", [True, False])
def test_to_torch_and_back_is_the_identity(bias):
    module = MultiHeadAttention(24, 4, bias=bias, dropout=0.1).eval()
    theirs = attention_to_torch(module)
    assert theirs.batch_first and not theirs.training and theirs.dropout == 0.1
    back = attention_from_torch(theirs)
    assert back.state_dict().keys() == module.state_dict().keys()
    for name, tensor in module.state_dict().items():
        assert torch.equal(back.state_dict()[name], tensor)
    x = torch.randn(2, 5, 24)
    close(theirs(x, x, x, need_weights=False)[0], module(x)[0], 1e-6)


@pytest.mark.parametrize(
    "options, found",
    [
        ({"kdim": 8}, "kdim=8"),
        ({"vdim": 8}, "vdim=8"),
        ({"add_bias_kv": True}, "add_bias_kv=True"),
        ({"add_zero_attn": True}, "add_zero_attn=True"),
        ({"kdim": 8, "add_zero_attn": True}, "kdim=8, add_zero_attn=True"),
    ],
)
def test_from_torch_refuses_what_it_cannot_copy(options, found):
    with pytest.raises(ValueError, match=f"no add_zero_attn, got {found}$"):
        attention_from_torch(nn.MultiheadAttention(16, 4, **options))


def test_from_torch_accepts_kdim_and_vdim_of_d_model():
    attention_from_torch(nn.MultiheadAttention(16, 4, kdim=16, vdim=16))


def test_conversion_refuses_other_modules():
    with pytest.raises(TypeError, match="must be nn.MultiheadAttention, got Linear"):
        attention_from_torch(nn.Linear(4, 4))
    with pytest.raises(ValueError, match="num_kv_heads must equal num_heads 4, got 2"):
        attention_to_torch(MultiHeadAttention(16, 4, num_kv_heads=2))
    rotary = MultiHeadAttention(16, 4, rotary=RotaryEmbedding(4))
    with pytest.raises(ValueError, match="rotary must be None: torch's module"):
        attention_to_torch(rotary)
    with pytest.raises(ValueError, match="rotary must be None: a SingleHead"):
        separate_heads(rotary)


@PROPERTY
@given(cases(kinds=("self", "key"), masks=("none", "2-D")))
def test_separate_heads_concatenated_and_mixed_are_the_module(case):
    heads, out_proj = separate_heads(case.module)
    options = {"mask": case.mask, "is_causal": case.is_causal}
    results = [head(case.query, case.key, **options) for head in heads]
    output, weights = case.run(need_weights=True)
    close(out_proj(torch.cat([heads_out for heads_out, _ in results], dim=-1)), output, 1e-12)
    close(torch.stack([head_weights for _, head_weights in results], dim=1), weights, 1e-12)


@pytest.mark.parametrize("bias", [True, False])
def test_merged_heads_are_the_loop_over_heads(bias):
    heads = nn.ModuleList(SingleHead(24, 6, bias=bias) for _ in range(4))
    out_proj = nn.Linear(24, 24, bias=bias)
    merged = merge_heads(heads, out_proj)
    x = torch.randn(2, 5, 24)
    close(merged(x)[0], out_proj(torch.cat([head(x)[0] for head in heads], dim=-1)), 1e-6)
    for i, head in enumerate(heads):  # head i owns rows i * head_dim and on
        assert torch.equal(merged.k_proj.weight[i * 6 : (i + 1) * 6], head.k_proj.weight)


def test_grouped_heads_share_keys_with_their_neighbours():
    heads, _ = separate_heads(MultiHeadAttention(24, 4, num_kv_heads=2))
    shared = [head.k_proj.weight for head in heads]
    assert torch.equal(shared[0], shared[1]) and torch.equal(shared[2], shared[3])
    assert not torch.equal(shared[1], shared[2])


def test_merge_heads_refuses_mismatched_sizes():
    good = [SingleHead(12, 6), SingleHead(12, 6)]
    out_proj = nn.Linear(12, 12)
    with pytest.raises(ValueError, match="heads must hold at least one head, got none"):
        merge_heads([], out_proj)
    with pytest.raises(ValueError, match="out_proj must keep 12 features, got 8"):
        merge_heads(good, nn.Linear(12, 8))
    with pytest.raises(ValueError, match="5 heads must divide out_proj's 12 features"):
        merge_heads([SingleHead(12, 2)] * 5, out_proj)
    wrong = re.escape("heads[1].q_proj must map 12 features to 6, got 12 to 4")
    with pytest.raises(ValueError, match=wrong):
        merge_heads([good[0], SingleHead(12, 4)], out_proj)
    wrong = re.escape("heads[0].q_proj must have bias=False as out_proj has, got bias=True")
    with pytest.raises(ValueError, match=wrong):
        merge_heads(good, nn.Linear(12, 12, bias=False))


# --- what PyTorch does to modules --------------------------------------------------------------


def test_state_dict_round_trip_and_deepcopy():
    module = MultiHeadAttention(24, 4, num_kv_heads=2)
    other = MultiHeadAttention(24, 4, num_kv_heads=2)
    other.load_state_dict(module.state_dict())
    twin = copy.deepcopy(module)
    x = torch.randn(2, 5, 24)
    assert torch.equal(other(x)[0], module(x)[0]) and torch.equal(twin(x)[0], module(x)[0])
    nn.init.zeros_(twin.q_proj.weight)
    assert module.q_proj.weight.abs().min() > 0


def test_half_rotary_still_turns_in_float32():
    module = MultiHeadAttention(16, 4, rotary=RotaryEmbedding(4))
    x = torch.randn(2, 64, 16)
    expected, _ = module(x)
    close(module.half()(x.half())[0], expected, 1e-2)


@pytest.mark.parametrize("need_weights", [False, True])
def test_meta_device_gives_shapes(need_weights):
    module = MultiHeadAttention(16, 4, num_kv_heads=2, rotary=RotaryEmbedding(4)).to("meta")
    output, weights = module(torch.empty(2, 5, 16, device="meta"), need_weights=need_weights)
    assert output.is_meta and output.shape == (2, 5, 16)
    assert weights is None or weights.shape == (2, 4, 5, 5)


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("rotary", [None, RotaryEmbedding(4)])
def test_autocast_to_bfloat16(need_weights, rotary):
    module = MultiHeadAttention(16, 4, rotary=rotary)
    x = torch.randn(2, 6, 16)
    mask = padding_mask([6, 3], 6)
    expected, _ = module(x, mask=mask)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        output, weights = module(x, mask=mask, need_weights=need_weights)
    assert output.dtype == torch.bfloat16
    assert weights is None or weights.dtype == torch.bfloat16
    close(output, expected, 8e-2)
    output.float().sum().backward()
    assert module.q_proj.weight.grad.isfinite().all()


@pytest.mark.nightly
def test_torch_compile_captures_one_graph_with_the_same_numbers():
    module = MultiHeadAttention(16, 4, num_kv_heads=2, rotary=RotaryEmbedding(4)).eval()
    x, mask = torch.randn(2, 6, 16), padding_mask([6, 3], 6)
    compiled = torch.compile(module, fullgraph=True, backend="aot_eager")  # needs no C++ compiler
    for options in ({}, {"mask": mask, "is_causal": True}, {"need_weights": True}):
        close(compiled(x, **options)[0], module(x, **options)[0], 1e-5)
        with torch.no_grad():
            close(compiled(x, **options)[0], module(x, **options)[0], 1e-5)


def test_parameter_count_does_not_depend_on_the_number_of_heads():
    counts = {
        heads: sum(p.numel() for p in MultiHeadAttention(48, heads, bias=False).parameters())
        for heads in (1, 2, 4, 8, 16, 48)
    }
    assert set(counts.values()) == {4 * 48**2}


# --- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error, message, arguments",
    [
        (ValueError, "num_heads must divide d_model 10, got 4", {"d_model": 10}),
        (ValueError, "num_kv_heads must divide num_heads 4, got 3", {"num_kv_heads": 3}),
        (ValueError, "num_heads must be at least 1, got 0", {"num_heads": 0}),
        (ValueError, "num_kv_heads must be at least 1, got 0", {"num_kv_heads": 0}),
        (TypeError, "d_model must be an integer, got 16.0", {"d_model": 16.0}),
        (ValueError, "dropout must be between 0 and 1, got 1.5", {"dropout": 1.5}),
        (ValueError, "rotary must have head_dim 4, got 8", {"rotary": RotaryEmbedding(8)}),
    ],
)
def test_bad_settings_are_refused(error, message, arguments):
    with pytest.raises(error, match=message):
        MultiHeadAttention(**({"d_model": 16, "num_heads": 4} | arguments))


X = torch.zeros(2, 5, 16)


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize(
    "error, message, arguments",
    [
        (TypeError, "query must be a torch.Tensor, got list", {"query": [1.0]}),
        (TypeError, "query must have a floating dtype, got torch.int64", {"query": X.long()}),
        (
            ValueError,
            "query must have shape (batch, length, d_model=16), got (5, 16)",
            {"query": X[0]},
        ),
        (
            ValueError,
            "key must have shape (batch, length, d_model=16), got (2, 5, 8)",
            {"key": X[..., :8]},
        ),
        (ValueError, "key must have query's batch size 2, got 1", {"key": X[:1]}),
        (ValueError, "value must have query's batch size 2, got 1", {"key": X, "value": X[:1]}),
        (ValueError, "value must have key's length 5, got 4", {"key": X, "value": X[:, :4]}),
        (ValueError, "value must come with a key", {"value": X}),
        (ValueError, "key must be on the module's device cpu, got meta", {"key": X.to("meta")}),
        (
            TypeError,
            "query must have the module's dtype torch.float32, got torch.float16",
            {"query": X.half()},
        ),
        (
            TypeError,
            "value must have the module's dtype torch.float32, got torch.float64",
            {"key": X, "value": X.double()},
        ),
        (
            TypeError,
            "mask must be boolean with True = may attend, got torch.float32",
            {"mask": torch.zeros(5, 5)},
        ),
        (TypeError, "mask must be a torch.Tensor, got str", {"mask": "causal"}),
        (
            ValueError,
            "mask must have 2 dimensions (query_len, key_len) or 4 that broadcast to (batch, "
            "heads, query_len, key_len), got shape (2, 5, 5); "
            "one mask per sequence is written mask[:, None], one per head mask[None]",
            {"mask": torch.ones(2, 5, 5, dtype=torch.bool)},
        ),
        (
            ValueError,
            "mask must broadcast to the scores' shape (2, 4, 5, 5), got (5, 4)",
            {"mask": torch.ones(5, 4, dtype=torch.bool)},
        ),
        (
            ValueError,
            "mask must broadcast to the scores' shape (2, 4, 5, 5), got (2, 3, 5, 5)",
            {"mask": torch.ones(2, 3, 5, 5, dtype=torch.bool)},
        ),
        (
            ValueError,
            "mask must be on the device cpu, got meta",
            {"mask": torch.ones(5, 5, dtype=torch.bool, device="meta")},
        ),
    ],
)
def test_bad_inputs_are_refused(error, message, arguments, need_weights):
    module = MultiHeadAttention(16, 4)
    with pytest.raises(error, match=re.escape(message)):
        module(**({"query": X} | arguments), need_weights=need_weights)


def test_a_single_head_refuses_bad_inputs_too():
    head = SingleHead(16, 4)
    message = re.escape("query must have shape (batch, length, d_model=16), got (2, 5, 8)")
    with pytest.raises(ValueError, match=message):
        head(X[..., :8])
    with pytest.raises(TypeError, match="mask must be boolean with True = may attend"):
        head(X, mask=torch.zeros(5, 5))
    with pytest.raises(ValueError, match="head_dim must be at least 1, got 0"):
        SingleHead(16, 0)


def test_rotary_refuses_cross_attention():
    module = MultiHeadAttention(16, 4, rotary=RotaryEmbedding(4))
    with pytest.raises(ValueError, match="rotary fits self-attention only, but a key was given"):
        module(X, X)


def test_a_mask_per_sequence_works_when_batch_equals_heads():
    """The case that the refusal of 3-D masks is for: batch == heads."""
    module = MultiHeadAttention(16, 4, dtype=torch.float64)
    x = torch.randn(4, 5, 16, dtype=torch.float64)
    mask = torch.rand(4, 5, 5) < 0.6
    with pytest.raises(ValueError, match=re.escape("mask[:, None]")):
        module(x, mask=mask)
    case = Case(module, x, None, None, mask[:, None], False)
    close(case.run()[0], case.expected()[0], 1e-12)


def test_sizes_may_be_integers_of_numpy():
    layer = MultiHeadAttention(numpy.int64(16), numpy.int32(4))
    output, _ = layer(torch.ones(1, 3, 16))
    assert output.shape == (1, 3, 16)
