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
LAYER, LATENT = course_lib.MultiHeadAttention(8, 2), LatentAttention(8, 2, latent_dim=4)
NETWORK = course_lib.FeedForward(4, 8)
MODEL = course_lib.DecoderLM(5, 8, 2, 1, max_len=9).eval()
TRANSLATOR = course_lib.EncoderDecoder(5, 5, 8, 2, 1, max_len=9)
OF_MODEL = {"model": MODEL}


def linear_loss(layer, generator):
    return layer(torch.ones(1, 2)).sum()


def with_heads_off(heads, positions=None):
    with ablation.heads_off(MODEL, heads, positions=positions):
        pass


# What else they are given, or what they alone take.
OWN = {
    fused_attention: QKV,
    sinks.sigmoid_attention: {"bias": torch.zeros(2)},
    delta_rule.delta_rule_step: STEP,
    course_lib.padding_mask: {"lengths": [1, 2]},
    LAYER.forward: {"query": SEQUENCE},
    LATENT.forward: {"query": SEQUENCE},
    examine_layer: {"layer": lambda x: x},
    training.fit: {"model": torch.nn.Linear(2, 1), "compute_loss": linear_loss},
    attention_heatmap: {"weights": WEIGHTS[0, 0]},
    head_grid: {"weights": WEIGHTS[0]},
    weight_bars: {"weights": WEIGHTS[0, 0, 0]},
    heads.induction_score: {"tokens": TOKENS.expand(2, 3)},
    patching.normalised_effect: {"source": 1.5},
    ablation.run: OF_MODEL,
    ablation.write_without: OF_MODEL | {"sets": [[(0, 0)]]},
    with_heads_off: {"heads": [(0, 0)]},
    patching.patch_paths: OF_MODEL | {"senders": [], "receivers": None},
    head_effects: OF_MODEL | {"measure": lambda: 1.0},
    parallel.shard_attention: {"attention": LAYER},
    parallel.shard_feed_forward: {"feed_forward": NETWORK},
}
UNTRIED = {  # what is checked elsewhere, or is of another kind here
    fused_attention: "query key value dropout",
    LAYER.forward: "key value is_causal positions",
    LATENT.forward: "is_causal positions",
    course_lib.DecoderLM: "positions dropout",
    MODEL.forward: "positions",
    MODEL.generate: "mask",
    **{attention_heatmap: "weights mask", head_grid: "weights mask", weight_bars: "weights"},
}
FUNCTIONS = [scaled_dot_product_attention, tiled.tiled_attention, sinks.attention_with_sink]
FUNCTIONS += [online_softmax.partial_softmax, linear.linear_attention, delta_rule.delta_rule]
FUNCTIONS += [linear.linear_attention_chunks, delta_rule.delta_rule_chunks, LAYER.make_cache]
FUNCTIONS += [course_lib.causal_mask, course_lib.window_mask, course_lib.sinusoidal_table]
FUNCTIONS += [course_lib.RotaryEmbedding, course_lib.LearnedPositions, course_lib.SingleHead]
FUNCTIONS += [course_lib.MultiHeadAttention, LatentAttention, linear.LinearAttention]
FUNCTIONS += [delta_rule.DeltaAttention, course_lib.KVCache, LatentCache, windows.WindowCache]
FUNCTIONS += [PageTable, course_lib.FeedForward, course_lib.TransformerBlock]
FUNCTIONS += [course_lib.TransformerStack, course_lib.DecoderLM, MODEL.forward, MODEL.generate]
FUNCTIONS += [TRANSLATOR.forward, TRANSLATOR.generate, tasks.copy_task, tasks.reversal_task]
FUNCTIONS += [tasks.pointer_task, tasks.repeated_sequences, tasks.previous_symbol_task]
FUNCTIONS += [tasks.agreement_sentences, tasks.date_task, heads.attention_entropy]
FUNCTIONS += [heads.maximum_entropy, heads.entropy_score, heads.offset_score, heads.target_score]
FUNCTIONS += [heads.previous_token_score, heads.first_token_score, heads.induction_targets]
FUNCTIONS += [parallel.parts_met, parallel.idle_share, parallel.heads_of_rank]
FUNCTIONS += [parallel.all_reduce_bytes, parallel.ring_bytes, *OWN]


def arguments(function):
    """The arguments that are tried, and all that it is given."""
    parameters, own = inspect.signature(function).parameters, OWN.get(function, {})
    own = own | ({"generator": torch.Generator()} if "generator" in parameters else {})
    given, untried = RIGHT | own, UNTRIED.get(function, "").split()
    kinds = torch.Tensor | int | float
    named = [name for name in parameters if isinstance(given.get(name), kinds)]
    return {name: given[name] for name in named if name not in untried}, own


CALLS = {function.__qualname__: (function, *arguments(function)) for function in FUNCTIONS}


def wrong_values(function, name, right):
    """The usual wrong ones in the place of this argument; None where it is not the default."""
    default = inspect.signature(function).parameters[name].default
    none = () if default is None or name == "warmup" else (None,)
    if isinstance(right, torch.Tensor):
        return *none, right.tolist(), "x"
    if isinstance(right, bool):
        return *none, "no"
    return *none, str(right), True, *((math.nan,) if isinstance(right, float) else (2.5, [1]))


CASES = [
    (call, name, wrong)
    for call, (function, checked, _) in CALLS.items()
    for name, right in checked.items()
    for wrong in wrong_values(function, name, right)
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
