"""What all models promise alike: defaults, and that nothing is made on another device.

Tensors on torch's meta device have a shape, a dtype and a device, but no numbers. They meet no
tensor of the CPU without an error, which makes them a device that every machine has.
"""

import pytest
import torch
from torch import nn

from course_lib import DecoderLM, EncoderDecoder, RotaryEmbedding, merge_heads, separate_heads
from course_lib import model as package
from course_lib.attention.single_head import SingleHead
from course_lib.model.block import TransformerBlock
from course_lib.model.conversion import attention_from_torch, attention_to_torch, block_from_torch
from course_lib.model.feed_forward import FeedForward
from public_defaults import public_defaults

DEFAULTS = {"bias": True, "cross_attention": False, "dropout": 0.0, "eps": 1e-5, "gated": False}
DEFAULTS |= {"is_causal": False, "need_weights": False, "norm": "layer", "pad": 0}
DEFAULTS |= {"rotary_base": 10000.0, "rotary_pairing": "halves", "temperature": 0.0}
DEFAULTS |= {"tie_embeddings": False, "use_cache": True}
THE_PAPERS = {"norm_first": False, "activation": "relu", "positions": "sinusoidal"}


def test_a_name_has_one_default_but_for_what_the_first_transformer_had():
    found = public_defaults(package)
    for name, value in THE_PAPERS.items():
        assert found[name].pop(value) == {"EncoderDecoder.__init__"}
    assert {name: list(defaults) for name, defaults in found.items()} == {
        name: [default]
        for name, default in DEFAULTS.items()
        | {"norm_first": True, "activation": "gelu", "positions": "learned"}.items()
    }


META = {"device": "meta", "dtype": torch.float64}


def empty(*shape):
    return torch.empty(*shape, **META)


def words(*shape):
    return torch.empty(*shape, dtype=torch.long, device="meta")


def tensors_in(value):
    """The tensors in what a call gives."""
    if isinstance(value, torch.Tensor):
        return [value]
    return [tensor for part in value or () for tensor in tensors_in(part)]


X, TOKENS, SOURCE = empty(2, 3, 8), words(3, 4), words(3, 5)
TODAY = {"norm": "rms", "gated": True, "activation": "silu", "rotary": RotaryEmbedding(4)}


def writes(model):
    caches = model.make_caches(3, 9)
    steps = [model(TOKENS, caches=caches) for _ in range(2)]
    return [model(TOKENS), model.generate(TOKENS, 2), steps]


def reads_and_writes(model):
    options = {"source_mask": empty(3, 1, 1, 5).bool()}
    read = model(SOURCE, TOKENS, need_weights=True, **options)
    options["start"] = 0
    return [read, *(model.generate(SOURCE, 4, use_cache=c, **options) for c in (True, False))]


CALLS = {
    "head": (SingleHead(8, 4, **META), lambda m: m(X, is_causal=True)),
    "network": (FeedForward(8, 16, **META), lambda m: m(X)),
    "block of today": (TransformerBlock(8, 2, **TODAY, **META), lambda m: m(X, is_causal=True)),
    "block": (
        TransformerBlock(8, 2, cross_attention=True, **META),
        lambda m: m(X, empty(2, 5, 8), is_causal=True, need_weights=True),
    ),
}
for _kind in ("learned", "sinusoidal", "rotary", "none"):
    _model = DecoderLM(11, 8, 2, 2, max_len=9, positions=_kind, **META)
    CALLS[f"writes, {_kind}"] = (_model, writes)
for _kind in ("learned", "sinusoidal", "none"):
    _model = EncoderDecoder(11, 7, 8, 2, 2, max_len=9, positions=_kind, **META)
    CALLS[f"reads and writes, {_kind}"] = (_model, reads_and_writes)


@pytest.mark.parametrize("name", CALLS)
@torch.no_grad()
def test_all_is_made_and_stays_where_it_was_asked_to_be(name):
    module, call = CALLS[name]
    given = tensors_in(call(module))
    assert given and all(tensor.is_meta for tensor in given)
    assert all(part.is_meta and part.dtype == torch.float64 for part in module.parameters())


@pytest.mark.parametrize("bias", [True, False])
def test_conversions(bias):
    options = {"bias": bias, **META}
    attention = attention_from_torch(nn.MultiheadAttention(8, 2, **options))
    heads, out_proj = separate_heads(attention)
    layer = nn.TransformerDecoderLayer(8, 2, 16, **options)
    modules = [attention, attention_to_torch(attention), block_from_torch(layer)]
    for module in (*modules, heads, out_proj, merge_heads(heads, out_proj)):
        assert all(part.is_meta and part.dtype == torch.float64 for part in module.parameters())
