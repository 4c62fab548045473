"""What course_lib already has is no answer to the exercise that asks for it."""

import inspect

import pytest
import torch

import course_checks as checks
import course_lib
from course_lib import (
    FeedForward,
    LearnedPositions,
    MultiHeadAttention,
    RotaryEmbedding,
)
from course_lib.attention import (
    delta_rule,
    masks,
    multi_head,
    online_softmax,
    positions,
    sinks,
    windows,
)
from course_lib.attention import linear as linear_attention
from course_lib.attention.masks import causal_mask as bound_before_the_check
from course_lib.attention.scaled_dot_product import fused_attention, repeat_for_groups
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention as attend
from course_lib.attention.tiled import tiled_attention
from course_lib.model import block as transformer
from course_lib.model import conversion
from course_lib.study import ablation, heads
from exercises.sources import EXERCISES, judge_of


def one_linear(parts):
    d_model = parts[0].in_features
    for part in parts:
        part.q_proj = part.k_proj = part.v_proj = part
    merged = conversion.merge_heads(parts, torch.nn.Linear(d_model, d_model))
    return merged.q_proj.weight, merged.q_proj.bias


def two_parts(w_query, w_output, num_heads, i):
    attention = MultiHeadAttention(len(w_query), num_heads, bias=False)
    parts, _ = conversion.separate_heads(attention)
    return parts[i].q_proj.weight, w_output


def through_linear_layers(x, w_up, b_up, w_down, b_down):
    layer = FeedForward(x.shape[-1], len(w_up))
    return layer(x)


def through_blocks(encoder, x):
    for layer in encoder.layers:
        x, *_ = conversion.block_from_torch(layer)(x)
    return x


def only_with_more_keys(query_len, key_len):
    if key_len > query_len:
        return bound_before_the_check(query_len, key_len)
    return torch.ones(query_len, key_len).tril().bool()


def through_a_gate(x, gate, up, down):
    return FeedForward(x.shape[-1], len(gate), gated=True, activation="silu", bias=False)(x)


def through_separate_heads(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    parts, _ = conversion.separate_heads(MultiHeadAttention(len(w_q), num_heads, bias=False))
    return parts[head].q_proj.weight, parts[head].k_proj.weight, parts[head].v_proj.weight


def through_one_part(scores):
    kept = online_softmax.partial_softmax(scores[None], scores[:, None])
    return kept.maximum[0], kept.total[0]


def through_the_merge(first, second):
    parts = [online_softmax.PartialSoftmax(*part) for part in (first, second)]
    return tuple(online_softmax.merge(*parts))


def through_reach(sizes, position):
    return [position - windows.reach(sizes[: n + 1]) for n in range(len(sizes))]


class OfTheHead(course_lib.SingleHead):
    def __init__(self, d_model, head_dim):
        super().__init__(d_model, head_dim, bias=False)


class OfTheLayer(course_lib.MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, bias=False, dropout=dropout)

    def forward(self, x, **options):
        return super().forward(x, need_weights=True, **options)


def through_groups(projected, num_heads, head_dim, turn):
    heads = projected.unflatten(-1, (-1, head_dim)).transpose(1, 2)
    like = heads.new_zeros(len(heads), num_heads, *heads.shape[2:])
    return repeat_for_groups(like, heads, heads)[0].transpose(1, 2).flatten(2)


ANSWERS = [
    ("attend_all", lambda q, k, v: attend(q, k, v, scale=1.0)),
    ("stable_softmax", lambda scores: masks.masked_softmax(scores, None)),
    ("single_head", lambda x, q, k, v: attend(x @ q.T, x @ k.T, x @ v.T)),
    ("MyHead", OfTheHead),
    ("MyMultiHead", OfTheLayer),
    ("MyAttention", OfTheLayer),
    ("split_heads", lambda x, n: MultiHeadAttention(x.shape[-1], n)._split_heads(x)),
    ("split_heads", multi_head.split_heads),
    ("combine_heads", multi_head.join_heads),
    ("heads_to_matrix", one_linear),
    ("head_parts", two_parts),
    ("causal_mask", bound_before_the_check),
    ("causal_mask", only_with_more_keys),
    ("masked_softmax", masks.masked_softmax),
    ("masked_softmax", lambda s, m: attend(s, torch.eye(s.shape[-1]), s, mask=m, scale=1.0)[1]),
    ("masked_call", lambda layer, x, m: conversion.attention_from_torch(layer)(x, mask=m)),
    ("safe_masked_softmax", lambda scores, mask: masks.masked_softmax(scores, mask)),
    ("cross_attend", lambda x, m, q, k, v: attend(x @ q.T, m @ k.T, m @ v.T)),
    ("padding_mask", masks.padding_mask),
    ("combine_masks", masks.combine_masks),
    ("attend_safely", lambda q, k, v, m: attend(q, k, v, mask=m)),
    ("attend_safely", lambda q, k, v, m: (masks.masked_softmax(q @ k.mT, m), v)),
    ("sinusoidal_positions", positions.sinusoidal_table),
    ("add_learned", lambda x, table, at: LearnedPositions(len(table), x.shape[-1])(x, at)),
    ("rotary", lambda x, at: RotaryEmbedding(x.shape[-1])(x, at)),
    ("feed_forward", through_linear_layers),
    ("encode", through_blocks),
    ("entropy_share", heads.entropy_score),
    ("induction", heads.induction_score),
    ("running_softmax", through_one_part),
    ("merge_parts", through_the_merge),
    ("attend_in_tiles", lambda q, k, v, block, is_causal: tiled_attention(q, k, v)),
    ("attend_in_tiles", lambda q, k, v, block, is_causal: attend(q, k, v)[0]),
    ("safe_attention", lambda q, k, v, mask, is_causal, *more: attend(q, k, v, mask=mask)[0]),
    (
        "safe_attention",
        lambda q, k, v, mask, is_causal, *more: fused_attention(
            q[None, None], k[None, None], v[None, None], mask=mask, is_causal=is_causal
        )[0, 0],
    ),
    ("cached_attend", lambda q, k, v, past_k, past_v: attend(q, k, v)),
    ("rolling_step", lambda q, k, v, past_k, past_v, window: attend(q, k, v)),
    ("earliest_seen", through_reach),
    ("sink_attend", lambda q, k, v, sink: sinks.attention_with_sink(q, k, v, sink)),
    ("linear_step", lambda m, t, q, k, v: linear_attention.linear_attention_step((m, t), q, k, v)),
    ("delta_step", lambda m, q, k, v, *r: delta_rule.delta_rule_step(m, q, k, v, *r)),
    (
        "sum_in_chunks",
        lambda q, k, v, n: linear_attention.linear_attention_chunks(q, k, v, chunk_len=n),
    ),
    ("sum_in_chunks", lambda q, k, v, n: linear_attention.linear_attention(q, k, v)),
    (
        "part_of_device",
        lambda x, q, k, v, out, size: attend(x @ q.T, x @ k.T, x @ v.T)[0] @ out.T,
    ),
    ("feed_forward_parts", lambda x, up, *rest: FeedForward(x.shape[-1], len(up))(x)),
    (
        "ring_output",
        lambda query, keys, values, rank, is_causal: attend(
            query, keys.flatten(0, 1), values.flatten(0, 1)
        )[0],
    ),
    ("swiglu", through_a_gate),
    ("turn_and_repeat", through_groups),
    ("parts_of_head", through_separate_heads),
    ("previous_token_head", lambda maps: (0, 0, heads.previous_token_score(maps[0])[0].item())),
    ("matched_control", lambda chosen, order: ablation.others_like(chosen, order, 0)),
    ("attend_to_chosen", lambda q, k, v, index_scores, count: attend(q, k, v, is_causal=True)),
]


@pytest.mark.parametrize(("name", "answer"), ANSWERS)
def test_the_librarys_own_answer_gets_no_points_and_is_told_so(name, answer):
    result = judge_of(name, 0)(answer)
    assert (result.status, result.points, result.diagnosis) == ("wrong", 0, "forbidden"), result
    assert "calls course_lib's own" in str(result) and "write it yourself" in str(result)


def test_every_exercise_that_closes_something_is_tried():
    assert {name for name, item in EXERCISES.items() if item.library} == {n for n, _ in ANSWERS}


def test_what_was_forbidden_is_allowed_again():
    before = bound_before_the_check.__code__
    assert checks.causal_mask(lambda q, k: 1 / 0).points == 0
    assert bound_before_the_check.__code__ is before
    assert torch.equal(bound_before_the_check(2, 3), torch.tensor([[1, 1, 0], [1, 1, 1]]).bool())


def test_what_another_exercise_asks_for_may_be_used():
    """A sliding window is not in the library; the causal mask in it is."""

    def window_mask(length, window):
        far = torch.ones(length, length, dtype=torch.bool).tril(-window)
        return course_lib.causal_mask(length) & ~far

    assert checks.sliding_window_mask(window_mask).status == "pass"


def test_an_answer_that_catches_the_error_and_goes_on_is_its_own():
    def tries(query_len, key_len):
        try:
            return bound_before_the_check(query_len, key_len)
        except RuntimeError:
            return EXERCISES["causal_mask"].reference(query_len, key_len)

    assert checks.causal_mask(tries).status == "pass"


LIBRARY = [
    function
    for module in (course_lib.attention, masks, positions, heads, conversion, transformer)
    for function in vars(module).values()
    if inspect.isfunction(function) and function.__module__ == module.__name__
]


@pytest.mark.parametrize("name", EXERCISES)
def test_no_function_of_the_library_passes_as_it_is(name):
    for function in LIBRARY:
        assert judge_of(name, 0)(function).status != "pass", function.__name__
    assert len(LIBRARY) > 20
