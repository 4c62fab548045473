"""Blocks, stacks and the language model against torch's layers and their own properties."""

import math
import re

import pytest
import torch
from torch import nn

from comparing_modules import close, randomize_biases_and_norms
from course_lib import DecoderLM, FeedForward, KVCache, RotaryEmbedding, causal_mask, padding_mask
from course_lib.attention.delta_rule import DeltaAttention
from course_lib.attention.latent import LatentAttention, LatentCache
from course_lib.attention.linear import LinearAttention
from course_lib.attention.states import StateCache
from course_lib.model.block import TransformerBlock, TransformerStack
from course_lib.model.conversion import block_from_torch
from refusals import refuses


def randn(*shape):
    return torch.randn(*shape, dtype=torch.float64)


TORCH_SETTINGS = [
    {"norm_first": norm_first, "activation": activation, "layer_norm_eps": eps, "bias": bias}
    for norm_first in (True, False)
    for activation, eps, bias in (("relu", 1e-5, True), ("gelu", 1e-2, True), ("gelu", 1e-5, False))
]


@pytest.mark.parametrize("settings", TORCH_SETTINGS, ids=str)
def test_block_equals_torch_encoder_layer(settings):
    theirs = nn.TransformerEncoderLayer(
        24, 4, 50, dropout=0.0, batch_first=True, dtype=torch.float64, **settings
    )
    block = block_from_torch(randomize_biases_and_norms(theirs))
    assert block.training and not block_from_torch(theirs.eval()).training
    x, mask = randn(2, 6, 24), causal_mask(6)
    for training in (True, False):
        theirs.train(training)
        block.train(training)
        output, weights, cross_weights = block(x, is_causal=True, need_weights=True)
        close(output, theirs(x, src_mask=~mask))
        without_weights = block(x, is_causal=True)
        close(without_weights[0], output)
        assert without_weights[1:] == (None, None)
        assert weights.shape == (2, 4, 6, 6) and cross_weights is None


@pytest.mark.parametrize("settings", TORCH_SETTINGS, ids=str)
@pytest.mark.parametrize("batch_first", [True, False])
def test_block_equals_torch_decoder_layer(settings, batch_first):
    theirs = nn.TransformerDecoderLayer(
        24, 4, 50, dropout=0.0, batch_first=batch_first, dtype=torch.float64, **settings
    )
    block = block_from_torch(randomize_biases_and_norms(theirs))
    x, memory, lengths = randn(2, 6, 24), randn(2, 9, 24), [9, 4]
    padding = padding_mask(lengths, 9)
    arguments = (x, memory) if batch_first else (x.transpose(0, 1), memory.transpose(0, 1))
    expected = theirs(
        *arguments, tgt_mask=~causal_mask(6), memory_key_padding_mask=~padding[:, 0, 0]
    )
    output, weights, cross_weights = block(
        x, memory, memory_mask=padding, is_causal=True, need_weights=True
    )
    close(output, expected if batch_first else expected.transpose(0, 1))
    assert weights.shape == (2, 4, 6, 6) and cross_weights.shape == (2, 4, 6, 9)
    assert cross_weights[1, :, :, 4:].count_nonzero() == 0


def test_final_norm_follows_norm_first():
    assert TransformerStack(1, 16, 4, norm_first=True).norm is not None
    after = TransformerStack(1, 16, 4, norm_first=False)
    assert after.norm is None and not after.blocks[0].norm_first
    assert TransformerStack(1, 16, 4, norm_first=True, final_norm=False).norm is None
    assert TransformerStack(1, 16, 4, eps=1e-3).norm.eps == 1e-3


def test_a_block_without_feed_forward_is_attention_and_residual():
    block = TransformerBlock(16, 4, 0, dtype=torch.float64)
    x = randn(2, 5, 16)
    close(block(x)[0], x + block.attention(block.attention_norm(x))[0])
    assert not any("feed_forward" in name for name, _ in block.named_parameters())


def test_dropout_falls_once_on_each_sublayer_and_on_the_hidden_features():
    """One published block drops the feed-forward's output twice."""
    torch.manual_seed(0)
    block = TransformerBlock(8, 2, 32, dropout=0.5)
    nn.init.zeros_(block.attention.out_proj.weight)  # only the feed-forward adds something
    nn.init.zeros_(block.feed_forward.down_proj.weight)
    nn.init.ones_(block.feed_forward.down_proj.bias)
    x = torch.zeros(20000, 1, 8)
    added = block.train()(x)[0]
    assert set(added.unique().tolist()) == {0.0, 2.0}
    assert block.feed_forward.dropout.p == block.attention.dropout == 0.5
    assert abs((added == 0).double().mean().item() - 0.5) < 0.01
    for gated in (False, True):
        network = FeedForward(8, 32, gated=gated, dropout=0.5).train()
        assert not torch.equal(network(torch.ones(4, 8)), network(torch.ones(4, 8)))
    assert torch.equal(block.eval()(x)[0], torch.ones_like(x))


# --- the parts of today ------------------------------------------------------------------------


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(
    ("activation", "function"),
    [
        ("relu", lambda x: x.clamp(min=0)),
        ("gelu", lambda x: x * (1 + torch.erf(x / math.sqrt(2))) / 2),
        (
            "gelu_tanh",
            lambda x: x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2,
        ),
        ("silu", lambda x: x / (1 + torch.exp(-x))),
    ],
)
def test_feed_forward_is_its_equation_with_and_without_a_gate(activation, function, bias):
    options = {"activation": activation, "bias": bias, "dtype": torch.float64}
    plain = randomize_biases_and_norms(FeedForward(6, 20, **options))
    x = randn(2, 3, 6)
    close(plain(x), plain.down_proj(function(plain.up_proj(x))))
    assert not any("gate" in name for name, _ in plain.named_parameters())
    assert FeedForward(6, 20).up_proj.bias is not None and FeedForward(6, 20).activation == "gelu"
    gated = randomize_biases_and_norms(FeedForward(6, 20, gated=True, **options))
    close(gated(x), gated.down_proj(function(gated.gate_proj(x)) * gated.up_proj(x)))
    assert (gated.gate_proj.bias is not None) == bias


def test_the_norm_is_chosen_for_every_sublayer_and_the_end():
    for norm, kind in (("layer", nn.LayerNorm), ("rms", nn.RMSNorm)):
        options = {"cross_attention": True, "norm": norm, "eps": 1e-3, "bias": False}
        stack = TransformerStack(2, 8, 2, **options)
        found = [module for module in stack.modules() if isinstance(module, kind)]
        assert len(found) == 2 * 3 + 1 and {module.eps for module in found} == {1e-3}
        assert all(
            parameter.dim() > 1 or "norm" in name for name, parameter in stack.named_parameters()
        )
    assert TransformerBlock(8, 2, norm="rms").attention.q_proj.bias is not None


def test_plain_settings_draw_the_same_numbers_as_before_the_others_came():
    """Trained models and recorded numbers rest on the order in which parameters are drawn."""
    torch.manual_seed(0)
    model = DecoderLM(11, 8, 2, 2, max_len=5)
    names = [name for name, _ in model.named_parameters()]
    assert names[:6] == [
        "embedding.weight",
        "positions.weight",
        "stack.blocks.0.attention_norm.weight",
        "stack.blocks.0.attention_norm.bias",
        "stack.blocks.0.attention.q_proj.weight",
        "stack.blocks.0.attention.q_proj.bias",
    ]
    assert len(names) == 37
    first, *_, last = [parameter.double().abs().sum().item() for parameter in model.parameters()]
    assert (round(first, 4), round(last, 4)) == (1.3141, 16.0564)


# --- the language model ------------------------------------------------------------------------

POSITIONS = ["learned", "sinusoidal", "rotary", "none"]


def language_model(positions="learned", **options):
    options = {"max_len": 20, "dtype": torch.float64} | options
    return DecoderLM(11, 24, 4, 2, positions=positions, **options).eval()


def test_settings_reach_every_block():
    options = {"positions": "rotary", "rotary_base": 500.0, "rotary_pairing": "interleaved"}
    options |= {"num_kv_heads": 2, "norm": "rms", "activation": "silu", "gated": True}
    model = DecoderLM(11, 24, 4, 2, 30, bias=False, eps=1e-3, dropout=0.1, **options)
    assert isinstance(model.stack.norm, nn.RMSNorm) and model.stack.norm.eps == 1e-3
    for block in model.stack.blocks:
        attention, network = block.attention, block.feed_forward
        assert (attention.rotary.base, attention.rotary.pairing) == (500.0, "interleaved")
        assert attention.num_kv_heads == 2 and attention.dropout == block.dropout.p == 0.1
        assert isinstance(block.attention_norm, nn.RMSNorm) and attention.q_proj.bias is None
        assert network.activation == "silu" and network.gate_proj.weight.shape == (30, 24)


@pytest.mark.parametrize("positions", POSITIONS)
def test_one_layer_tells_the_order_of_earlier_tokens_by_positions_alone(positions):
    model = DecoderLM(11, 24, 4, 1, positions=positions, max_len=5, dtype=torch.float64).eval()
    logits, _ = model(torch.tensor([[1, 2, 3, 4], [3, 1, 2, 4]]))
    assert torch.allclose(*logits[:, -1], atol=1e-12) == (positions == "none")


@torch.no_grad()
def test_logits_of_the_last_positions_are_the_last_of_all():
    model, tokens = language_model(), torch.randint(11, (2, 9))
    whole, weights = model(tokens, need_weights=True)
    for keep in (0, 1, 4, 9, 20):
        logits, same = model(tokens, need_weights=True, logits_to_keep=keep)
        close(logits, whole[:, max(9 - keep, 0) :])
        assert all(map(torch.equal, same, weights))
    caches = model.make_caches(2, 9)
    assert model(tokens[:, :5], caches=caches, logits_to_keep=0)[0].shape == (2, 0, 11)
    close(model(tokens[:, 5:], caches=caches, logits_to_keep=2)[0], whole[:, 7:])
    with pytest.raises(ValueError, match="logits_to_keep must be 0 or more, got -1"):
        model(tokens, logits_to_keep=-1)


OTHERS = {
    "latent": lambda: LatentAttention(24, 4, 6, rotary=RotaryEmbedding(4), dtype=torch.float64),
    "linear": lambda: LinearAttention(24, 4, dtype=torch.float64),
    "delta": lambda: DeltaAttention(24, 4, dtype=torch.float64),
}


@pytest.mark.parametrize("which", [(0, 1), (1,)])
@pytest.mark.parametrize("attention", OTHERS)
def test_a_model_of_other_layers_generates_with_the_caches_that_they_make(attention, which):
    torch.manual_seed(0)  # of 100 seeds, up to 7 write the same behind every prompt
    model = language_model(positions="none")
    for i in which:
        model.stack.blocks[i].attention = randomize_biases_and_norms(OTHERS[attention]())
    tokens, own = torch.randint(11, (3, 4)), LatentCache if attention == "latent" else StateCache
    kinds = [own if i in which else KVCache for i in range(2)]
    assert [type(cache) for cache in model.make_caches(3, 9)] == kinds
    cached, anew = (model.generate(tokens, 10, use_cache=cache) for cache in (True, False))
    assert torch.equal(cached, anew) and cached.shape == (3, 14)
    assert not torch.equal(cached[0, 4:], cached[1, 4:])  # it writes what it has read


def test_an_attention_that_can_make_no_cache_says_so():
    class Average(nn.Module):
        """Somebody's own layer: the mean of what came before."""

        def forward(self, query, **options):
            counts = torch.arange(1, query.shape[1] + 1, dtype=query.dtype)[:, None]
            return query.cumsum(dim=1) / counts, None

    model = language_model(positions="none")
    model.stack.blocks[1].attention = Average()
    tokens = torch.randint(11, (3, 4))
    refuses(TypeError, r"Average has no make_cache\(", model.generate, tokens, 3)
    assert model.generate(tokens, 3, use_cache=False).shape == (3, 7)


def test_sampling_follows_temperature_and_top_k():
    model = language_model(dtype=torch.float32)
    start = torch.tensor([[3]])
    logits = model(start)[0][0, -1]
    generator = torch.Generator().manual_seed(0)
    for temperature, top_k in ((1.0, None), (0.5, 4), (0.5, 12)):  # of 11 tokens
        expected = logits / temperature
        if top_k is not None:
            expected[expected < expected.topk(min(top_k, 11)).values[-1]] = -torch.inf
        expected = expected.softmax(-1)
        options = {"temperature": temperature, "top_k": top_k, "generator": generator}
        drawn = model.generate(start.expand(20000, 1), 1, **options)[:, 1]
        observed = drawn.bincount(minlength=11) / 20000
        assert (observed - expected).abs().max() < 0.02
        assert (observed[expected == 0] == 0).all()


def test_one_sequence_alone_is_sampled_from_the_whole_vocabulary():
    model = language_model("none", dtype=torch.float32)
    tokens, anew = (
        model.generate(
            torch.tensor([[3]]),
            150,
            temperature=5.0,
            use_cache=use_cache,
            generator=torch.Generator().manual_seed(0),
        )
        for use_cache in (True, False)
    )
    assert set(tokens[0].tolist()) == set(range(11)) and torch.equal(tokens, anew)


def test_generation_drops_nothing_and_restores_the_mode():
    model = language_model(dropout=0.5).train()
    tokens = torch.randint(11, (1, 4))
    assert torch.equal(model.generate(tokens, 8), model.generate(tokens, 8))
    assert model.training and model.stack.blocks[0].dropout.training


@pytest.mark.parametrize("positions", POSITIONS)
def test_empty_batches_and_sequences(positions):
    model = language_model(positions)
    assert model(torch.zeros(0, 5, dtype=torch.long))[0].shape == (0, 5, 11)
    assert model(torch.zeros(2, 0, dtype=torch.long))[0].shape == (2, 0, 11)
    assert model.generate(torch.zeros(0, 5, dtype=torch.long), 3).shape == (0, 8)
    assert model.generate(torch.zeros(2, 5, dtype=torch.long), 0).shape == (2, 5)


# --- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message, make",
    [
        (
            "activation must be one of ['relu', 'gelu', 'gelu_tanh', 'silu'], got 'elu'",
            lambda: FeedForward(4, 8, activation="elu"),
        ),
        ("d_model must be at least 1, got 0", lambda: FeedForward(0, 4)),
        ("d_ff must be at least 1, got 0", lambda: FeedForward(4, 0)),
        ("dropout must be between 0 and 1, got 1.5", lambda: FeedForward(4, 8, dropout=1.5)),
        ("num_layers must be at least 1, got 0", lambda: TransformerStack(0, 8, 2)),
        ("dropout must be between 0 and 1, got -0.1", lambda: TransformerBlock(8, 2, dropout=-0.1)),
        ("num_heads must divide d_model 8, got 3", lambda: TransformerBlock(8, 3)),
        (
            "positions must be 'learned', 'sinusoidal', 'rotary' or 'none', got 'alibi'",
            lambda: DecoderLM(5, 8, 2, 1, positions="alibi"),
        ),
        ("max_len must be given for learned positions, got None", lambda: DecoderLM(5, 8, 2, 1)),
        ("vocab_size must be at least 1, got 0", lambda: DecoderLM(0, 8, 2, 1, max_len=4)),
        ("d_model must be at least 1, got -8", lambda: DecoderLM(5, -8, 2, 1, max_len=4)),
        ("num_heads must be at least 1, got 0", lambda: DecoderLM(5, 8, 0, 1, positions="rotary")),
        (
            "norm must be 'layer' or 'rms', got 'batch'",
            lambda: TransformerBlock(8, 2, norm="batch"),
        ),
        (
            "pairing must be 'halves' or 'interleaved', got 'thirds'",
            lambda: DecoderLM(5, 8, 2, 1, positions="rotary", rotary_pairing="thirds"),
        ),
        (
            "base must be a positive number, got -1",
            lambda: DecoderLM(5, 8, 2, 1, positions="rotary", rotary_base=-1),
        ),
        (
            "rotary_base and rotary_pairing need positions='rotary', "
            "got 500.0 and 'halves' with positions='none'",
            lambda: DecoderLM(5, 8, 2, 1, positions="none", rotary_base=500.0),
        ),
        (
            "got 10000.0 and 'interleaved' with positions='learned'",
            lambda: DecoderLM(5, 8, 2, 1, max_len=9, rotary_pairing="interleaved"),
        ),
    ],
)
def test_bad_settings_are_refused(message, make):
    refuses(ValueError, re.escape(message), make)


def test_bad_inputs_are_refused():
    x = torch.zeros(1, 3, 8)
    refuses(ValueError, "memory must be None: cross_attention=False", TransformerBlock(8, 2), x, x)
    with pytest.raises(ValueError, match="memory must be a tensor: cross_attention=True"):
        TransformerBlock(8, 2, cross_attention=True)(x)
    with pytest.raises(ValueError, match="caches must hold 2, one for each block, got 1"):
        TransformerStack(2, 8, 2)(x, caches=[None])
    model = language_model()
    wanted = r"tokens must be an integer tensor \(int64 or int32\), got "
    refuses(TypeError, wanted + "torch.float32", model, x)
    refuses(TypeError, wanted + "list", model.generate, [1, 2], 3)
    with pytest.raises(ValueError, match=r"tokens must have shape \(batch, length\), got \(3,\)"):
        model(torch.zeros(3, dtype=torch.long))
    with pytest.raises(ValueError, match=r"positions 0 to 19 \(max_len=20\), got 0 to 20"):
        model(torch.zeros(1, 21, dtype=torch.long))


@pytest.mark.parametrize(
    "message, length, options",
    [
        ("tokens must hold at least one token to continue, got length 0", 0, {}),
        ("max_new_tokens must keep the length within max_len=20, got 15 + 6", 15, {}),
        ("max_new_tokens must be 0 or more, got -1", 3, {"max_new_tokens": -1}),
        ("temperature must be 0 or more, got -0.5", 3, {"temperature": -0.5}),
        ("top_k must be at least 1, got 0", 3, {"top_k": 0}),
    ],
)
def test_bad_generation_is_refused(message, length, options):
    tokens = torch.zeros(1, length, dtype=torch.long)
    with pytest.raises(ValueError, match=re.escape(message)):
        language_model().generate(tokens, **({"max_new_tokens": 6} | options))
