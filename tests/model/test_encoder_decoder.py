"""The encoder-decoder against torch's nn.Transformer, and its own properties."""

import re

import pytest
import torch
from torch import nn

from comparing_modules import close, randomize_biases_and_norms
from course_lib import EncoderDecoder, causal_mask, padding_mask
from course_lib.model.conversion import block_from_torch

SMALL = {"dtype": torch.float64, "d_ff": 20}


def make(num_layers=2, **options):
    torch.manual_seed(0)
    model = EncoderDecoder(11, 7, 16, 4, num_layers, **(SMALL | options))
    with torch.no_grad():
        model.head.weight.mul_(3)  # so that different tokens win
    return randomize_biases_and_norms(model).eval()


def tokens(*shape, vocab_size=7, seed=0):
    return torch.randint(vocab_size, shape, generator=torch.Generator().manual_seed(seed))


SOURCE, TARGET = tokens(3, 5, vocab_size=11), tokens(3, 6, seed=1)
LENGTHS = torch.tensor([5, 3, 1])
SOURCE_MASK = padding_mask(LENGTHS, 5)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")  # a note on torch's speed
@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_it_equals_torch_layer_by_layer(norm_first, activation):
    torch.manual_seed(1)
    options = {"norm_first": norm_first, "activation": activation}
    theirs = nn.Transformer(16, 4, 3, 2, 20, dropout=0.0, batch_first=True, **options)
    randomize_biases_and_norms(theirs.eval())
    model = EncoderDecoder(
        11, 7, 16, 4, 3, 20, num_decoder_layers=2, final_norm=True, **options
    ).eval()
    for ours, their_stack in ((model.encoder, theirs.encoder), (model.decoder, theirs.decoder)):
        assert len(ours.blocks) == len(their_stack.layers)
        for i, layer in enumerate(their_stack.layers):
            ours.blocks[i] = block_from_torch(layer)
        ours.norm.load_state_dict(their_stack.norm.state_dict())
    padding = ~SOURCE_MASK[:, 0, 0]  # (batch, S), for torch True = padding
    source = model.source_positions(model.source_embedding(SOURCE) * 4)
    target = model.target_positions(model.target_embedding(TARGET) * 4)

    memory = theirs.encoder(source, src_key_padding_mask=padding)
    close(model.encode(SOURCE, SOURCE_MASK)[0], memory, atol=1e-5)
    future = ~causal_mask(6)
    output = theirs(
        source, target, tgt_mask=future, src_key_padding_mask=padding,
        memory_key_padding_mask=padding,
    )  # fmt: skip
    logits, _ = model(SOURCE, TARGET, source_mask=SOURCE_MASK)
    close(logits, model.head(output), atol=1e-5)


def test_weights_come_by_layer_and_need_not_come():
    model = make(3, num_decoder_layers=2)
    logits, weights = model(SOURCE, TARGET, need_weights=True)
    assert logits.shape == (3, 6, 7)
    shapes = {name: [tuple(w.shape) for w in found] for name, found in weights._asdict().items()}
    assert shapes == {
        "encoder": [(3, 4, 5, 5)] * 3,
        "decoder": [(3, 4, 6, 6)] * 2,
        "cross": [(3, 4, 6, 5)] * 2,
    }
    for found in weights:
        for one in found:
            close(one.sum(dim=-1), torch.ones_like(one[..., 0]))
    fused, none = model(SOURCE, TARGET)
    assert none is None
    close(fused, logits)


@pytest.mark.parametrize("sizes", [(6,), (1, 1, 1, 1, 1, 1), (2, 3, 1)], ids=str)
@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "none"])
def test_decoding_through_caches_gives_the_uncached_logits(sizes, positions):
    model = make(positions=positions, max_len=6)
    memory, _ = model.encode(SOURCE, SOURCE_MASK)
    target_mask = padding_mask(torch.tensor([6, 6, 3]), 6)
    with torch.no_grad():
        masks = {"source_mask": SOURCE_MASK, "target_mask": target_mask}
        whole, own, cross = model.decode(TARGET, memory, need_weights=True, **masks)
        caches, found, end = model.make_caches(3, 6, 5), [], 0
        for part in TARGET.split(list(sizes), dim=1):
            end += part.shape[1]
            masks["target_mask"] = target_mask[..., :end]
            found.append(model.decode(part, memory, caches=caches, need_weights=True, **masks))
            assert [cache.length for cache in caches.written] == [end, end]
            assert [cache.length for cache in caches.memory] == [5, 5]
    close(torch.cat([logits for logits, _, _ in found], dim=1), whole)
    for layer in range(2):
        close(torch.cat([one[2][layer] for one in found], dim=2), cross[layer])
        close(found[-1][1][layer], own[layer][:, :, -sizes[-1] :])


def test_the_memory_is_projected_once():
    model, calls = make(1), []
    attention = model.decoder.blocks[0].cross_attention
    attention.k_proj.register_forward_hook(lambda module, x, y: calls.append(y.shape[1]))
    model.generate(SOURCE, 4, start=0)
    assert calls == [5, 0, 0, 0]
    calls.clear()
    model.generate(SOURCE, 4, start=0, use_cache=False)
    assert calls == [5, 5, 5, 5]


def greedy(model, source, steps, start, end, pad, mask):
    """Written without the library: one sequence at a time, everything anew."""
    rows = []
    for i in range(len(source)):
        written = [start]
        while len(written) <= steps and (len(written) == 1 or written[-1] != end):
            one = None if mask is None else mask[i : i + 1]
            logits, _ = model(source[i : i + 1], torch.tensor([written]), source_mask=one)
            written.append(logits[0, -1].argmax().item())
        rows.append(written[1:])
    longest = max(map(len, rows))
    return torch.tensor([row + [pad] * (longest - len(row)) for row in rows])


@pytest.mark.parametrize("mask", [None, SOURCE_MASK], ids=["all", "padded"])
@pytest.mark.parametrize("end", [None, 0, 1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("use_cache", [True, False])
@torch.no_grad()
def test_the_best_token_is_written_each_time(end, mask, use_cache):
    model = make()
    expected = greedy(model, SOURCE, 6, 3, end, 5, mask)
    found = model.generate(
        SOURCE, 6, start=3, end=end, pad=5, source_mask=mask, use_cache=use_cache
    )
    assert torch.equal(found, expected)


def test_an_end_stops_some_sequences_before_others():
    lengths = {
        end: (make().generate(tokens(9, 5, vocab_size=11), 6, start=3, end=end, pad=5) != 5)
        for end in range(5)
    }
    assert any(len(set(real.sum(dim=-1).tolist())) > 1 for real in lengths.values())


def test_embeddings_are_scaled_and_positions_come_with_an_offset():
    model = make(1, positions="none")
    close(model.encoder(model.source_embedding(SOURCE) * 4.0)[0], model.encode(SOURCE)[0])
    learned = make(1, positions="learned", max_len=6)
    x = learned.source_embedding(SOURCE) * 4.0 + learned.source_positions.weight[:5]
    close(learned.encoder(x)[0], learned.encode(SOURCE)[0])


def test_settings_reach_both_stacks():
    model = EncoderDecoder(
        9, 8, 16, 4, 2, num_decoder_layers=1, norm_first=True, activation="silu", gated=True,
        norm="rms", bias=False, dropout=0.25, num_kv_heads=2, final_norm=False,
    )  # fmt: skip
    assert (len(model.encoder.blocks), len(model.decoder.blocks)) == (2, 1)
    assert model.dropout.p == 0.25
    for stack in (model.encoder, model.decoder):
        assert stack.norm is None
        for block in stack.blocks:
            assert block.norm_first and block.attention.num_kv_heads == 2
            assert block.attention.dropout == 0.25 and isinstance(block.attention_norm, nn.RMSNorm)
            assert block.feed_forward.gate_proj is not None
    assert not [name for name, _ in model.named_parameters() if name.endswith("bias")]
    plain = EncoderDecoder(9, 8, 16, 4, 1)
    assert plain.encoder.norm is None and not plain.encoder.blocks[0].norm_first
    assert model.generate(SOURCE % 9, 3, start=0).shape == (3, 3)


def test_dropout_falls_on_the_embeddings_and_not_on_generation():
    model = make(dropout=0.5)
    quiet = model.generate(SOURCE, 5, start=0)
    model.train()
    assert torch.equal(model.generate(SOURCE, 5, start=0), quiet)
    assert model.training
    seen = []
    model.encoder.register_forward_pre_hook(lambda module, args: seen.append(args[0]))
    model.encode(SOURCE)
    assert 0.3 < (seen[0] == 0).double().mean() < 0.7


def test_empty_batches_and_sources():
    model = make()
    assert model.generate(SOURCE[:0], 3, start=0).shape == (0, 3)
    nothing = model.generate(SOURCE[:, :0], 3, start=0)
    assert nothing.shape == (3, 3) and (nothing == nothing[0]).all()
    logits, _ = model(SOURCE, TARGET[:, :0])
    assert logits.shape == (3, 0, 7)
    logits, _ = model(SOURCE, TARGET, source_mask=padding_mask([5, 0, 2], 5))
    assert logits.isfinite().all()


@pytest.mark.parametrize(
    "message, options",
    [
        ("positions must be 'sinusoidal', 'learned' or 'none'", {"positions": "rotary"}),
        ("max_len must be given for learned positions", {"positions": "learned"}),
        ("source_vocab_size must be at least 1", {"source_vocab_size": 0}),
        ("target_vocab_size must be at least 1", {"target_vocab_size": 0}),
        ("d_model must be at least 1", {"d_model": 0}),
        ("num_layers must be at least 1", {"num_layers": 0}),
        ("num_layers must be at least 1", {"num_decoder_layers": 0}),
        ("num_heads must divide d_model", {"num_heads": 3}),
        ("d_model must be even", {"d_model": 15, "num_heads": 3}),
        ("dropout probability has to be between 0 and 1", {"dropout": 1.5}),
    ],
)
def test_bad_settings_are_refused(message, options):
    settings = {"source_vocab_size": 11, "target_vocab_size": 7, "d_model": 16, "num_heads": 4}
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        EncoderDecoder(**(settings | {"num_layers": 1} | options))


BAD_CALLS = {
    "source must be an integer tensor": lambda m: m(SOURCE.double(), TARGET),
    "source must have shape (batch, length)": lambda m: m(SOURCE[0], TARGET),
    "target must be an integer tensor": lambda m: m(SOURCE, TARGET.double()),
    "memory must have shape (batch=2, S, d_model=16), got (3, 5, 16)": lambda m: m(
        SOURCE, TARGET[:2]
    ),
    "memory must have shape (batch=3, S, d_model=16), got (3, 5, 15)": lambda m: m.decode(
        TARGET, torch.randn(3, 5, 15, dtype=torch.float64)
    ),
    "memory must have shape (batch=3, S, d_model=16), got (3, 16)": lambda m: m.decode(
        TARGET, torch.randn(3, 16, dtype=torch.float64)
    ),
    "(3, 1, 1, 5), as padding_mask makes it, got (3, 5)": lambda m: m(
        SOURCE, TARGET, source_mask=SOURCE_MASK[:, 0, 0]
    ),
    "source_mask must be a boolean tensor, True = may attend, got torch.float64": lambda m: m(
        SOURCE, TARGET, source_mask=SOURCE_MASK.double()
    ),
    "source_mask must be a boolean tensor, True = may attend, got list": lambda m: m.generate(
        SOURCE, 3, start=0, source_mask=[True]
    ),
    "target_mask must have shape (batch, 1, 1, length) = (3, 1, 1, 6)": lambda m: m(
        SOURCE, TARGET, target_mask=SOURCE_MASK
    ),
    "max_new_tokens must be at least 1": lambda m: m.generate(SOURCE, 0, start=0),
    "start must be a token below target_vocab_size=7, got 7": lambda m: m.generate(
        SOURCE, 3, start=7
    ),
    "end must be 0 or more": lambda m: m.generate(SOURCE, 3, start=0, end=-1),
    "pad must be a token": lambda m: m.generate(SOURCE, 3, start=0, pad=9),
}


@pytest.mark.parametrize("message", BAD_CALLS)
def test_bad_calls_are_refused(message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        BAD_CALLS[message](make())


def test_learned_positions_end_somewhere():
    model = make(positions="learned", max_len=5)
    assert model.generate(SOURCE, 5, start=0).shape == (3, 5)
    with pytest.raises(ValueError, match="max_new_tokens must be at most max_len=5, got 6"):
        model.generate(SOURCE, 6, start=0)
    memory, _ = model.encode(SOURCE)
    caches = model.make_caches(3, 6, 5)
    for name in ("written", "memory"):
        with pytest.raises(ValueError, match="caches must hold 2"):
            model.decode(TARGET[:, :1], memory, caches=caches._replace(**{name: caches.memory[:1]}))
