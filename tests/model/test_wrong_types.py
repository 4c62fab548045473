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
from course_lib.attention.qk_norm import NormedProjection
from course_lib.attention.scaled_dot_product import fused_attention, scaled_dot_product_attention

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
    "NormedProjection": (
        NormedProjection,
        {"in_features": 8, "out_features": 8, "head_dim": 4, "eps": 1e-6},
    ),
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
NONE_IS_MEANT = {
    "mask", "scale", "key_len", "end", "top_k", "logits_to_keep", "bias",
    "tolerance of examine_layer",
    "length of examine_layer", "max_len of DecoderLM",
}  # fmt: skip


def wrong_values(name, call, right):
    """The usual wrong ones in the place of this argument."""
    none = () if name in NONE_IS_MEANT or f"{name} of {call}" in NONE_IS_MEANT else (None,)
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
            if not {name, f"{name} of {call}"} & NONE_IS_MEANT:
                continue
            assert parameters[name].default is None, (call, name)
