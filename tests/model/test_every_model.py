"""What all models promise alike: defaults, and that nothing is made on another device.

Tensors on torch's meta device have a shape, a dtype and a device, but no numbers. They meet no
tensor of the CPU without an error, which makes them a device that every machine has.
"""

import pytest
import torch
from torch import nn

from course_lib import (
    DecoderLM,
    EncoderDecoder,
    FeedForward,
    RotaryEmbedding,
    SingleHead,
    TransformerBlock,
    merge_heads,
    separate_heads,
)
from course_lib import model as package
from course_lib.model.conversion import (
    attention_from_torch,
    attention_to_torch,
    block_from_torch,
)
from public_defaults import public_defaults

DEFAULTS = {
    "bias": True,
    "cross_attention": False,
    "dropout": 0.0,
    "eps": 1e-5,
    "gated": False,
    "is_causal": False,
    "need_weights": False,
    "norm": "layer",
    "pad": 0,
    "rotary_base": 10000.0,
    "rotary_pairing": "halves",
    "temperature": 0.0,
    "tie_embeddings": False,
    "use_cache": True,
}
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


def assert_all_meta(*modules):
    for module in modules:
        for name, tensor in module.named_parameters():
            assert tensor.is_meta and tensor.dtype == torch.float64, name


def test_blocks():
    head, network = SingleHead(8, 4, **META), FeedForward(8, 16, **META)
    block = TransformerBlock(8, 2, cross_attention=True, **META)
    assert_all_meta(head, network, block)
    today = {"norm": "rms", "gated": True, "activation": "silu", "rotary": RotaryEmbedding(4)}
    modern = TransformerBlock(8, 2, **today, **META)
    assert_all_meta(modern)
    assert modern(empty(2, 3, 8), is_causal=True)[0].is_meta
    assert head(empty(2, 3, 8), is_causal=True)[0].is_meta
    assert network(empty(2, 3, 8)).is_meta
    assert block(empty(2, 3, 8), empty(2, 5, 8), is_causal=True)[0].is_meta


@pytest.mark.parametrize("positions", ["learned", "sinusoidal", "rotary", "none"])
def test_language_model_with_and_without_caches(positions):
    model = DecoderLM(11, 8, 2, 2, max_len=9, positions=positions, **META)
    assert_all_meta(model)
    tokens = torch.empty(3, 4, dtype=torch.long, device="meta")
    caches = model.make_caches(3, 9)
    with torch.no_grad():
        assert model(tokens)[0].is_meta
        assert model(tokens, caches=caches)[0].is_meta
        assert model(tokens, caches=caches)[0].is_meta
    assert model.generate(tokens, 2).shape == (3, 6)


@pytest.mark.parametrize("positions", ["learned", "sinusoidal", "none"])
def test_encoder_and_decoder(positions):
    model = EncoderDecoder(11, 7, 8, 2, 2, max_len=9, positions=positions, **META)
    assert_all_meta(model)
    source, target = (torch.empty(3, n, dtype=torch.long, device="meta") for n in (5, 4))
    mask = empty(3, 1, 1, 5).bool()
    logits, weights = model(source, target, source_mask=mask, need_weights=True)
    assert logits.is_meta and all(one.is_meta for found in weights for one in found)
    options = {"start": 0, "source_mask": mask}
    assert model.generate(source, 4, **options).shape == (3, 4)
    assert model.generate(source, 4, use_cache=False, **options).is_meta


@pytest.mark.parametrize("bias", [True, False])
def test_conversions(bias):
    options = {"bias": bias, **META}
    attention = attention_from_torch(nn.MultiheadAttention(8, 2, **options))
    heads, out_proj = separate_heads(attention)
    layer = nn.TransformerDecoderLayer(8, 2, 16, **options)
    modules = [attention, attention_to_torch(attention), block_from_torch(layer)]
    assert_all_meta(*modules, heads, out_proj, merge_heads(heads, out_proj))
