"""What people pass by mistake: each public argument refuses it, and the error names the argument.

Of a tensor that is None, a list and a text; of a number None, a text, True and NaN; of a flag None,
a text and a number. NumPy's numbers are numbers.
"""

import inspect
import math
import re

import numpy as np
import pytest
import torch

import course_lib
from course_checks import examine_layer
from course_lib.attention import delta_rule, linear, online_softmax, sinks, tiled, windows
from course_lib.attention.latent import LatentAttention, LatentCache
from course_lib.attention.paged_cache import PageTable
from course_lib.attention.scaled_dot_product import fused_attention, scaled_dot_product_attention
from course_lib.data import tasks, training
from course_lib.figures import attention_heatmap, effect_grid, head_grid, weight_bars
from course_lib.parallel import (
    all_reduce_bytes,
    heads_of_rank,
    idle_share,
    parts_met,
    ring_bytes,
    shard_attention,
    shard_feed_forward,
)
from course_lib.study import ablation, heads, patching
from course_lib.study.effects import head_effects

D, H = 8, 2
X = torch.randn(1, H, 3, 4)
QKV = {"query": X, "key": X, "value": X}
VECTOR = torch.randn(1, H, 4)
MASK = torch.ones(3, 3, dtype=torch.bool)
SCALED = QKV | {"mask": MASK, "is_causal": True, "scale": 0.5}
SEQUENCE = torch.randn(1, 3, D)
TOKENS = torch.ones(1, 3, dtype=torch.long)


def model():
    return course_lib.DecoderLM(5, D, H, 1, max_len=9)


def translator():
    return course_lib.EncoderDecoder(5, 5, D, H, 1, max_len=9)


# Each call with arguments that are right. What an argument may be beside that is left out below.
CALLS = {
    "scaled_dot_product_attention": (scaled_dot_product_attention, SCALED),
    "fused_attention": (fused_attention, {"scale": 0.5, "mask": MASK}, QKV),
    "tiled_attention": (tiled.tiled_attention, SCALED | {"block_len": 2}),
    "sigmoid_attention": (sinks.sigmoid_attention, SCALED | {"bias": torch.zeros(H)}),
    "attention_with_sink": (sinks.attention_with_sink, SCALED | {"sink_logit": torch.zeros(H)}),
    "partial_softmax": (online_softmax.partial_softmax, {"scores": X @ X.mT, "value": X}),
    "linear_attention": (linear.linear_attention, QKV),
    "linear_attention_chunks": (linear.linear_attention_chunks, QKV | {"chunk_len": 2}),
    "delta_rule": (delta_rule.delta_rule, QKV | {"beta": X[..., 0]}),
    "delta_rule_step": (
        delta_rule.delta_rule_step,
        {"query": VECTOR, "key": VECTOR, "value": VECTOR, "beta": VECTOR[..., 0]},
        {"state": None},
    ),
    "delta_rule_chunks": (delta_rule.delta_rule_chunks, QKV | {"beta": X[..., 0], "chunk_len": 2}),
    "causal_mask": (course_lib.causal_mask, {"query_len": 3, "key_len": 4}),
    "window_mask": (course_lib.window_mask, {"query_len": 3, "window": 2}),
    "padding_mask": (course_lib.padding_mask, {"max_len": 3}, {"lengths": [1, 2]}),
    "sinusoidal_table": (course_lib.sinusoidal_table, {"length": 3, "d_model": 4, "offset": 1}),
    "RotaryEmbedding": (course_lib.RotaryEmbedding, {"head_dim": 4, "base": 100.0}),
    "LearnedPositions": (course_lib.LearnedPositions, {"max_len": 3, "d_model": 4}),
    "SingleHead": (course_lib.SingleHead, {"d_model": 4, "head_dim": 2}),
    "MultiHeadAttention": (
        course_lib.MultiHeadAttention,
        {"d_model": D, "num_heads": H, "dropout": 0.1},
    ),
    "LatentAttention": (LatentAttention, {"d_model": D, "num_heads": H, "latent_dim": 4}),
    "LinearAttention": (linear.LinearAttention, {"d_model": D, "num_heads": H, "chunk_len": 4}),
    "DeltaAttention": (
        delta_rule.DeltaAttention,
        {"d_model": D, "num_heads": H, "chunk_len": 4},
    ),
    "KVCache": (
        course_lib.KVCache,
        {"batch_size": 1, "num_kv_heads": 2, "max_len": 3, "head_dim": 4},
    ),
    "LatentCache": (LatentCache, {"batch_size": 1, "max_len": 3, "features": 4}),
    "WindowCache": (
        windows.WindowCache,
        {"batch_size": 1, "num_kv_heads": 2, "window": 3, "head_dim": 4, "sinks": 1},
    ),
    "PageTable": (PageTable, {"num_pages": 3, "page_size": 2}),
    "FeedForward": (course_lib.FeedForward, {"d_model": 4, "d_ff": 8, "dropout": 0.1}),
    "TransformerBlock": (
        course_lib.TransformerBlock,
        {"d_model": D, "num_heads": H, "dropout": 0.1},
    ),
    "TransformerStack": (
        course_lib.TransformerStack,
        {"num_layers": 1, "d_model": D, "num_heads": H},
    ),
    "DecoderLM": (
        course_lib.DecoderLM,
        {"vocab_size": 5, "d_model": D, "num_heads": H, "num_layers": 1, "max_len": 9},
    ),
    "MultiHeadAttention.forward": (
        lambda **given: course_lib.MultiHeadAttention(D, H)(**given),
        {"query": SEQUENCE, "mask": MASK},
    ),
    "MultiHeadAttention.make_cache": (
        lambda **given: course_lib.MultiHeadAttention(D, H).make_cache(**given),
        {"batch_size": 1, "max_len": 3},
    ),
    "LatentAttention.forward": (
        lambda **given: LatentAttention(D, H, latent_dim=4)(**given),
        {"query": SEQUENCE, "mask": MASK},
    ),
    "DecoderLM.forward": (
        lambda **given: model()(**given),
        {"tokens": TOKENS, "mask": MASK, "logits_to_keep": 1},
    ),
    "DecoderLM.generate": (
        lambda **given: model().generate(**given),
        {"tokens": TOKENS, "max_new_tokens": 1, "temperature": 0.5, "top_k": 2},
    ),
    "EncoderDecoder.forward": (
        lambda **given: translator()(**given),
        {"source": TOKENS, "target": TOKENS},
    ),
    "EncoderDecoder.generate": (
        lambda **given: translator().generate(**given),
        {"source": TOKENS, "max_new_tokens": 1, "start": 0, "end": 2, "pad": 1},
    ),
    "examine_layer": (
        examine_layer,
        {"d_model": D, "is_causal": True, "seed": 0, "tolerance": 0.1, "length": 6},
        {"layer": lambda x: x},
    ),
}  # fmt: skip
DRAW = {"generator": torch.Generator().manual_seed(0)}
WEIGHTS = torch.rand(2, H, 3, 3).softmax(dim=-1)
ATTENDS = {"weights": WEIGHTS}
FACTOR, OTHER = torch.randn(H, D, 4), torch.randn(H, 4, D)


def linear_loss(layer, generator):
    return layer(torch.ones(1, 2)).sum()


def with_heads_off(**given):
    with ablation.heads_off(model().eval(), **given):
        pass


CALLS |= {
    "copy_task": (tasks.copy_task, {"batch_size": 2, "min_len": 2, "max_len": 3}, DRAW),
    "reversal_task": (tasks.reversal_task, {"batch_size": 2, "min_len": 2, "max_len": 3}, DRAW),
    "pointer_task": (
        tasks.pointer_task, {"batch_size": 2, "num_pointers": 1, "num_queries": 2}, DRAW
    ),
    "repeated_sequences": (
        tasks.repeated_sequences,
        {"batch_size": 2, "length": 9, "vocab_size": 5, "min_period": 2, "max_period": 3},
        DRAW,
    ),
    "previous_symbol_task": (tasks.previous_symbol_task, {"batch_size": 2, "length": 3}, DRAW),
    "agreement_sentences": (
        tasks.agreement_sentences, {"batch_size": 2, "max_distractors": 1}, DRAW
    ),
    "date_task": (tasks.date_task, {"batch_size": 2}, DRAW),
    "fit": (
        lambda **given: training.fit(torch.nn.Linear(2, 1), linear_loss, **given),
        {"steps": 9, "lr": 0.1, "weight_decay": 0.1, "warmup": 0.5, "max_grad_norm": 1.0,
         "seed": 0, "progress": False},
    ),
    "attention_heatmap": (
        attention_heatmap, {"untrained": True, "entropy": False}, {"weights": WEIGHTS[0, 0]}
    ),
    "head_grid": (
        head_grid, {"untrained": True, "columns": 2}, {"weights": WEIGHTS[0]}
    ),
    "weight_bars": (weight_bars, {"annotate": True}, {"weights": WEIGHTS[0, 0, 0]}),
    "effect_grid": (effect_grid, {}, {"effects": {(0, 0): 0.5}}),
    "attention_entropy": (heads.attention_entropy, ATTENDS),
    "maximum_entropy": (heads.maximum_entropy, {"mask": MASK}),
    "entropy_score": (heads.entropy_score, ATTENDS | {"mask": MASK}),
    "offset_score": (heads.offset_score, ATTENDS | {"offset": -1}),
    "previous_token_score": (heads.previous_token_score, ATTENDS),
    "first_token_score": (heads.first_token_score, ATTENDS),
    "target_score": (heads.target_score, ATTENDS | {"targets": MASK.expand(2, 3, 3)}),
    "induction_targets": (heads.induction_targets, {"tokens": TOKENS}),
    "induction_score": (heads.induction_score, ATTENDS | {"tokens": TOKENS.expand(2, 3)}),
    "normalised_effect": (
        patching.normalised_effect, {"patched": 0.5, "before": 0.2, "source": 1.5}
    ),
    "run": (
        lambda **given: ablation.run(model().eval(), **given),
        {"tokens": TOKENS, "logits_to_keep": 1},
    ),
    "write_without": (
        lambda **given: ablation.write_without(model().eval(), **given),
        {"tokens": TOKENS, "length": 2},
        {"sets": [[(0, 0)]]},
    ),
    "heads_off": (with_heads_off, {"positions": MASK[0]}, {"heads": [(0, 0)]}),
    "patch_paths": (
        lambda **given: patching.patch_paths(model().eval(), senders=[], receivers=None, **given),
        {"tokens": TOKENS},
    ),
    "head_effects": (
        lambda **given: head_effects(model().eval(), lambda: 1.0, **given), {"progress": False}
    ),
    "parts_met": (parts_met, {"rank": 0, "world_size": 2, "is_causal": True}),
    "idle_share": (idle_share, {"world_size": 2, "is_causal": True}),
    "heads_of_rank": (
        heads_of_rank, {"num_heads": 2, "num_kv_heads": 2, "rank": 0, "world_size": 2}
    ),
    "shard_attention": (
        lambda **given: shard_attention(course_lib.MultiHeadAttention(D, H), **given),
        {"rank": 0, "world_size": 2},
    ),
    "shard_feed_forward": (
        lambda **given: shard_feed_forward(course_lib.FeedForward(4, 8), **given),
        {"rank": 0, "world_size": 2},
    ),
    "all_reduce_bytes": (all_reduce_bytes, {"num_bytes": 8, "world_size": 2}),
    "ring_bytes": (ring_bytes, {"num_bytes": 8, "world_size": 2}),
}  # fmt: skip
NONE_IS_MEANT = {
    "mask", "scale", "key_len", "end", "top_k", "logits_to_keep", "bias",
    "warmup", "positions", "columns", "annotate",
    "tolerance of examine_layer",
    "length of examine_layer", "max_len of DecoderLM",
}  # fmt: skip


def may_be_none(name, call):
    meant = name in NONE_IS_MEANT or f"{name} of {call}" in NONE_IS_MEANT
    return meant and f"{name} of {call}" != "mask of maximum_entropy"


def wrong_values(name, call, right):
    """The usual wrong ones in the place of this argument."""
    none = () if may_be_none(name, call) else (None,)
    if isinstance(right, torch.Tensor):
        return *none, right.tolist(), "x"
    if isinstance(right, bool):
        return *none, "no"
    return *none, str(right), True, *((math.nan,) if isinstance(right, float) else (2.5, [1]))


CASES = [
    (call, name, wrong)
    for call, (_, checked, *_) in CALLS.items()
    for name, right in checked.items()
    for wrong in wrong_values(name, call, right)
]


def given_to(call):
    function, checked, *others = CALLS[call]
    return function, checked | (others[0] if others else {})


@pytest.mark.parametrize("call", CALLS)
def test_the_right_arguments_are_taken_and_numpys_numbers_too(call):
    function, given = given_to(call)
    numbers = {int: np.int64, float: np.float32}
    function(
        **{name: numbers.get(type(value), lambda v: v)(value) for name, value in given.items()}
    )


@pytest.mark.parametrize(("call", "name", "wrong"), CASES)
def test_a_wrong_type_is_refused_by_the_name_of_the_argument(call, name, wrong):
    function, given = given_to(call)
    with pytest.raises((TypeError, ValueError), match=rf"^{re.escape(name)}\b"):
        function(**given | {name: wrong})


def test_what_is_left_out_has_none_as_its_default():
    for call, (function, checked, *_) in CALLS.items():
        parameters = inspect.signature(function).parameters
        for name in {*checked} & {*parameters}:
            if not may_be_none(name, call):
                continue
            assert parameters[name].default is None, (call, name)
