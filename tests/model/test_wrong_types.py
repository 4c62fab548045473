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
from course_lib import parallel
from course_lib.attention import delta_rule, linear, online_softmax, sinks, tiled, windows
from course_lib.attention.latent import LatentAttention, LatentCache
from course_lib.attention.paged_cache import PageTable
from course_lib.attention.scaled_dot_product import fused_attention, scaled_dot_product_attention
from course_lib.data import tasks, training
from course_lib.figures import attention_heatmap, head_grid, weight_bars
from course_lib.study import ablation, heads, patching
from course_lib.study.effects import head_effects

X = torch.randn(1, 2, 3, 4)
MASK = torch.ones(3, 3, dtype=torch.bool)
TOKENS = torch.ones(1, 3, dtype=torch.long)
WEIGHTS = torch.rand(2, 2, 3, 3).softmax(dim=-1)
# What is right for an argument of this name, in every call that has none of its own.
RIGHT = {"query": X, "key": X, "value": X, "mask": MASK, "scores": X @ X.mT, "beta": X[..., 0]}
RIGHT |= {"tokens": TOKENS, "source": TOKENS, "target": TOKENS, "weights": WEIGHTS}
RIGHT |= {"targets": MASK.expand(2, 3, 3), "positions": MASK[0], "sink_logit": torch.zeros(2)}
RIGHT |= {"d_model": 8, "num_heads": 2, "num_kv_heads": 2, "head_dim": 4, "d_ff": 8, "features": 4}
RIGHT |= {"num_layers": 1, "vocab_size": 5, "latent_dim": 4, "batch_size": 2, "length": 6}
RIGHT |= {"max_len": 9, "min_len": 2, "query_len": 3, "key_len": 4, "block_len": 2, "chunk_len": 2}
RIGHT |= {"window": 3, "sinks": 1, "num_pages": 3, "page_size": 2, "min_period": 2, "max_period": 3}
RIGHT |= {"logits_to_keep": 1, "max_new_tokens": 1, "top_k": 2, "start": 0, "end": 2, "pad": 1}
RIGHT |= {"num_pointers": 1, "num_queries": 2, "max_distractors": 1, "steps": 9, "seed": 0}
RIGHT |= {"columns": 2, "offset": 1, "rank": 0, "world_size": 2, "num_bytes": 8, "scale": 0.5}
RIGHT |= {"base": 100.0, "dropout": 0.1, "temperature": 0.5, "tolerance": 0.1, "lr": 0.1}
RIGHT |= {"weight_decay": 0.1, "warmup": 0.5, "max_grad_norm": 1.0, "patched": 0.5, "before": 0.2}
RIGHT |= {"is_causal": True, "untrained": True, "entropy": False, "annotate": True}
RIGHT |= {"progress": False}

QKV, SEQUENCE, VECTOR = {"query": X, "key": X, "value": X}, torch.randn(1, 3, 8), X[..., 0, :]
STEP = {"query": VECTOR, "key": VECTOR, "value": VECTOR, "beta": VECTOR[..., 0], "state": None}
LAYER, NETWORK = course_lib.MultiHeadAttention(8, 2), course_lib.FeedForward(4, 8)
MODEL = course_lib.DecoderLM(5, 8, 2, 1, max_len=9).eval()
TRANSLATOR = course_lib.EncoderDecoder(5, 5, 8, 2, 1, max_len=9)
DRAW, OF_MODEL = {"generator": torch.Generator().manual_seed(0)}, {"model": MODEL}


def linear_loss(layer, generator):
    return layer(torch.ones(1, 2)).sum()


def with_heads_off(**given):
    with ablation.heads_off(MODEL, **given):
        pass


# Functions, the arguments that are tried, and what else they are given or what they alone take.
EVERY = [
    (scaled_dot_product_attention, "query key value mask is_causal scale"),
    (fused_attention, "mask scale", QKV),
    (tiled.tiled_attention, "query key value mask is_causal scale block_len"),
    (sinks.sigmoid_attention, "query key value mask is_causal scale bias", {"bias": X[0, :, 0, 0]}),
    (sinks.attention_with_sink, "query key value mask is_causal scale sink_logit"),
    (online_softmax.partial_softmax, "scores value"),
    (linear.linear_attention, "query key value"),
    (linear.linear_attention_chunks, "query key value chunk_len"),
    (delta_rule.delta_rule, "query key value beta"),
    (delta_rule.delta_rule_step, "query key value beta", STEP),
    (delta_rule.delta_rule_chunks, "query key value beta chunk_len"),
    (course_lib.causal_mask, "query_len key_len"),
    (course_lib.window_mask, "query_len window"),
    (course_lib.padding_mask, "max_len", {"lengths": [1, 2]}),
    (course_lib.sinusoidal_table, "length d_model offset"),
    (course_lib.RotaryEmbedding, "head_dim base"),
    (course_lib.LearnedPositions, "max_len d_model"),
    (course_lib.SingleHead, "d_model head_dim"),
    (course_lib.MultiHeadAttention, "d_model num_heads dropout"),
    (LatentAttention, "d_model num_heads latent_dim"),
    (linear.LinearAttention, "d_model num_heads chunk_len"),
    (delta_rule.DeltaAttention, "d_model num_heads chunk_len"),
    (course_lib.KVCache, "batch_size num_kv_heads max_len head_dim"),
    (LatentCache, "batch_size max_len features"),
    (windows.WindowCache, "batch_size num_kv_heads window head_dim sinks"),
    (PageTable, "num_pages page_size"),
    (course_lib.FeedForward, "d_model d_ff dropout"),
    (course_lib.TransformerBlock, "d_model num_heads dropout"),
    (course_lib.TransformerStack, "num_layers d_model num_heads"),
    (course_lib.DecoderLM, "vocab_size d_model num_heads num_layers max_len"),
    (LAYER.forward, "query mask", {"query": SEQUENCE}),
    (LAYER.make_cache, "batch_size max_len"),
    (LatentAttention(8, 2, latent_dim=4).forward, "query mask", {"query": SEQUENCE}),
    (MODEL.forward, "tokens mask logits_to_keep"),
    (MODEL.generate, "tokens max_new_tokens temperature top_k"),
    (TRANSLATOR.forward, "source target"),
    (TRANSLATOR.generate, "source max_new_tokens start end pad"),
    (examine_layer, "d_model is_causal seed tolerance length", {"layer": lambda x: x}),
    (tasks.copy_task, "batch_size min_len max_len", DRAW),
    (tasks.reversal_task, "batch_size min_len max_len", DRAW),
    (tasks.pointer_task, "batch_size num_pointers num_queries", DRAW),
    (tasks.repeated_sequences, "batch_size length vocab_size min_period max_period", DRAW),
    (tasks.previous_symbol_task, "batch_size length", DRAW),
    (tasks.agreement_sentences, "batch_size max_distractors", DRAW),
    (tasks.date_task, "batch_size", DRAW),
    (
        training.fit,
        "steps lr weight_decay warmup max_grad_norm seed progress",
        {"model": torch.nn.Linear(2, 1), "compute_loss": linear_loss},
    ),
    (attention_heatmap, "untrained entropy", {"weights": WEIGHTS[0, 0]}),
    (head_grid, "untrained columns", {"weights": WEIGHTS[0]}),
    (weight_bars, "annotate", {"weights": WEIGHTS[0, 0, 0]}),
    (heads.attention_entropy, "weights"),
    (heads.maximum_entropy, "mask"),
    (heads.entropy_score, "weights mask"),
    (heads.offset_score, "weights offset"),
    (heads.previous_token_score, "weights"),
    (heads.first_token_score, "weights"),
    (heads.target_score, "weights targets"),
    (heads.induction_targets, "tokens"),
    (heads.induction_score, "weights tokens", {"tokens": TOKENS.expand(2, 3)}),
    (patching.normalised_effect, "patched before source", {"source": 1.5}),
    (ablation.run, "tokens logits_to_keep", OF_MODEL),
    (ablation.write_without, "tokens length", OF_MODEL | {"sets": [[(0, 0)]]}),
    (with_heads_off, "positions", {"heads": [(0, 0)]}),
    (patching.patch_paths, "tokens", OF_MODEL | {"senders": [], "receivers": None}),
    (head_effects, "progress", OF_MODEL | {"measure": lambda: 1.0}),
    (parallel.parts_met, "rank world_size is_causal"),
    (parallel.idle_share, "world_size is_causal"),
    (parallel.heads_of_rank, "num_heads num_kv_heads rank world_size"),
    (parallel.shard_attention, "rank world_size", {"attention": LAYER}),
    (parallel.shard_feed_forward, "rank world_size", {"feed_forward": NETWORK}),
    (parallel.all_reduce_bytes, "num_bytes world_size"),
    (parallel.ring_bytes, "num_bytes world_size"),
]
CALLS = {
    function.__qualname__: (
        function,
        {name: (RIGHT | dict(*own))[name] for name in names.split()},
        dict(*own),
    )
    for function, names, *own in EVERY
}
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
    for call, (_, checked, _) in CALLS.items()
    for name, right in checked.items()
    for wrong in wrong_values(name, call, right)
]


@pytest.mark.parametrize("call", CALLS)
def test_the_right_arguments_are_taken_and_numpys_numbers_too(call):
    function, checked, own = CALLS[call]
    numbers, given = {int: np.int64, float: np.float32}, own | checked
    function(
        **{name: numbers.get(type(value), lambda v: v)(value) for name, value in given.items()}
    )


@pytest.mark.parametrize(("call", "name", "wrong"), CASES)
def test_a_wrong_type_is_refused_by_the_name_of_the_argument(call, name, wrong):
    function, checked, own = CALLS[call]
    with pytest.raises((TypeError, ValueError), match=rf"^{re.escape(name)}\b"):
        function(**own | checked | {name: wrong})


def test_what_is_left_out_has_none_as_its_default():
    for call, (function, checked, _) in CALLS.items():
        parameters = inspect.signature(function).parameters
        for name in {*checked} & {*parameters}:
            if may_be_none(name, call) and name != "warmup":  # None: there is none
                assert parameters[name].default is None, (call, name)
