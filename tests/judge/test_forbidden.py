"""What course_lib already has is no answer to the exercise that asks for it."""

import inspect

import pytest
import torch

import course_checks as checks
import course_lib
from course_lib import MultiHeadAttention, RotaryEmbedding
from course_lib.attention import masks, positions
from course_lib.attention.masks import causal_mask as bound_before_the_check
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention as attend
from course_lib.model import block as transformer
from course_lib.model import conversion
from course_lib.study import heads
from tools.checks.exercise_sources import EXERCISES, judge_of

# What must not be called, and where.
CLOSED = {
    "scaled_dot_product_attention": "attend_all single_head cross_attend attend_safely rolling_step"
    " attend_in_tiles safe_attention cached_attend part_of_device ring_output attend_to_chosen",
    "masked_softmax": "stable_softmax masked_softmax safe_masked_softmax attend_safely",
    "SingleHead.forward": "MyHead",
    "MultiHeadAttention.forward": "MyMultiHead MyAttention part_of_device",
    "split_heads": "split_heads",
    "join_heads": "combine_heads",
    "merge_heads": "heads_to_matrix",
    "separate_heads": "head_parts parts_of_head",
    "causal_mask": "causal_mask safe_attention",
    "attention_from_torch": "masked_call",
    "padding_mask": "padding_mask",
    "combine_masks": "combine_masks",
    "sinusoidal_table": "sinusoidal_positions",
    "LearnedPositions.forward": "add_learned",
    "RotaryEmbedding.forward": "rotary",
    "FeedForward.forward": "feed_forward feed_forward_parts swiglu",
    "TransformerBlock.forward": "encode",
    "entropy_score": "entropy_share",
    "target_score induction_targets": "induction",
    "merge": "running_softmax merge_parts attend_in_tiles ring_output",
    "partial_softmax": "running_softmax attend_in_tiles ring_output",
    "tiled_attention": "attend_in_tiles safe_attention",
    "fused_attention": "safe_attention",
    "reach": "earliest_seen",
    "attention_with_sink": "sink_attend",
    "linear_attention linear_attention_step linear_attention_chunks": "linear_step sum_in_chunks",
    "delta_rule delta_rule_step delta_rule_chunks": "delta_step",
    "offset_score": "previous_token_head",
    "others_like": "matched_control",
    "repeat_for_groups": "turn_and_repeat",
}


def test_each_exercise_closes_what_it_asks_for():
    found = {}
    everywhere = [name for name, exercise in EXERCISES.items() if not exercise.package]
    for name in everywhere:
        for function in EXERCISES[name].library:
            found.setdefault(function.__qualname__, set()).add(name)
    expected = [(set(names.split()), functions.split()) for functions, names in CLOSED.items()]
    assert found == {function: names for names, functions in expected for function in functions}


def only_with_more_keys(query_len, key_len):
    if key_len > query_len:
        return bound_before_the_check(query_len, key_len)
    return torch.ones(query_len, key_len).tril().bool()


class OfTheHead(course_lib.SingleHead):
    def __init__(self, d_model, head_dim):
        super().__init__(d_model, head_dim, bias=False)


class OfTheLayer(course_lib.MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, bias=False, dropout=dropout)

    def forward(self, x, **options):
        return super().forward(x, need_weights=True, **options)


ANSWERS = [
    *[
        (name, lambda *args, function=function: function(*args))
        for name, exercise in EXERCISES.items()
        for function in exercise.library
        if exercise.noun == "function"
    ],
    ("MyHead", OfTheHead),
    ("MyMultiHead", OfTheLayer),
    ("MyAttention", OfTheLayer),
    ("split_heads", lambda x, n: MultiHeadAttention(x.shape[-1], n)._split_heads(x)),
    ("causal_mask", bound_before_the_check),
    ("causal_mask", only_with_more_keys),
    ("masked_softmax", lambda s, m: attend(s, torch.eye(s.shape[-1]), s, mask=m, scale=1.0)[1]),
    ("rotary", lambda x, at: RotaryEmbedding(x.shape[-1])(x, at)),
]


@pytest.mark.parametrize(("name", "answer"), ANSWERS)
def test_the_librarys_own_answer_gets_no_points_and_is_told_so(name, answer):
    result = judge_of(name, 0)(answer)
    assert (result.status, result.points, result.diagnosis) == ("wrong", 0, "forbidden"), result
    assert "calls course_lib's own" in str(result) and "write it yourself" in str(result)


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
