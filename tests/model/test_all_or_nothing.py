"""Public calls with several steps: an error in the middle of one leaves all as it was."""

import pytest
import torch
from torch import nn

import course_lib
from course_lib.attention.delta_rule import DeltaAttention
from course_lib.attention.latent import LatentAttention
from course_lib.attention.linear import LinearAttention
from course_lib.attention.paged_cache import PagedBatch, PagedCache, PageTable
from course_lib.attention.windows import WindowCache
from course_lib.model.block import TransformerBlock, TransformerStack, eval_mode
from course_lib.model.encoder_decoder import EncoderDecoder
from course_lib.model.language_model import DecoderLM
from course_lib.parallel import ParallelAttention, parallelize
from course_lib.study.ablation import run, write_without
from course_lib.study.head_outputs import ablate_by_row, ablate_heads, head_outputs
from course_lib.study.patching import patch_paths
from course_lib.widgets import AttentionExplorer
from refusals import refuses

D, H = 8, 2


class Stops(nn.Module):
    """Stands in the place of the last step."""

    def forward(self, *_, **__):
        raise RuntimeError("stopped")


def window():
    return WindowCache(2, H, 3, D // H, sinks=1)


def paged():
    table = PageTable(8, page_size=2)
    rows = table.make_rows(H, D // H)
    return PagedBatch([PagedCache(table, table.open(), rows) for _ in range(2)])


ATTENTION = {
    "KVCache": (course_lib.MultiHeadAttention, lambda layer: layer.make_cache(2, 9)),
    "WindowCache": (course_lib.MultiHeadAttention, lambda layer: window()),
    "PagedBatch": (course_lib.MultiHeadAttention, lambda layer: paged()),
    "LatentCache": (
        lambda d, h: LatentAttention(d, h, latent_dim=4),
        lambda layer: layer.make_cache(2, 9),
    ),
    "StateCache": (LinearAttention, lambda layer: layer.make_cache(2, 9)),
    "StateCache, delta": (DeltaAttention, lambda layer: layer.make_cache(2, 9)),
}


def attention(kind):
    make, make_cache = ATTENTION[kind]
    layer = make(D, H)
    cache = make_cache(layer)
    return layer, "out_proj", lambda: layer(torch.randn(2, 1, D), is_causal=True, cache=cache)


def block():
    layer = TransformerBlock(D, H, cross_attention=True)
    own, cross = layer.attention.make_cache(2, 9), layer.cross_attention.make_cache(2, 9)
    memory = torch.randn(2, 3, D)
    return (
        layer,
        "feed_forward",
        lambda: layer(torch.randn(2, 1, D), memory, cache=own, memory_cache=cross),
    )


def stack():
    layers = TransformerStack(2, D, H)
    caches = [block.attention.make_cache(2, 9) for block in layers.blocks]
    return layers, "norm", lambda: layers(torch.randn(2, 1, D), caches=caches)


def language_model():
    model = DecoderLM(5, D, H, 2, max_len=9)
    caches = model.make_caches(2, 9)
    return model, "head", lambda: model(torch.randint(5, (2, 1)), caches=caches)


def decoder():
    model = EncoderDecoder(5, 5, D, H, 1, max_len=9)
    caches, memory = model.make_caches(2, 9, 3), torch.randn(2, 3, D)
    return model, "head", lambda: model.decode(torch.randint(5, (2, 1)), memory, caches=caches)


CALLS = {kind: (lambda kind=kind: attention(kind)) for kind in ATTENTION}
CALLS |= {f.__name__: f for f in (block, stack, language_model, decoder)}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_stops_leaves_its_caches_as_they_were(name):
    """Its answers afterwards are those of a twin that never stopped."""
    answers = []
    for stops in (False, True):
        torch.manual_seed(0)
        module, last, call = CALLS[name]()
        with torch.no_grad():
            for step in range(6):
                torch.manual_seed(step)
                answer = call()
                answers.append((answer[0] if isinstance(answer, tuple) else answer).clone())
                if stops:
                    whole = getattr(module, last)
                    setattr(module, last, Stops())
                    refuses(RuntimeError, "stopped", call)
                    setattr(module, last, whole)
    for expected, answer in zip(answers[:6], answers[6:], strict=True):
        torch.testing.assert_close(answer, expected, rtol=0, atol=0)


def test_a_state_of_which_a_part_is_refused_changes_nothing():
    explorer = AttentionExplorer(torch.randn(1, 2, 3, 3), list("abc"))
    before = explorer.state
    for bad in ({"head": 1, "query": 9}, {"head": 1, "temperature": 0.0}, {"head": 1, "x": 1}):
        with pytest.raises(ValueError if "x" in bad else Exception, match="query|temperature|x"):
            explorer.state = bad
        assert explorer.state == before


def test_contexts_and_readings_put_a_model_back_after_an_error():
    torch.manual_seed(0)
    model, tokens = DecoderLM(5, D, H, 2, max_len=9), torch.randint(5, (1, 4))
    layer = model.stack.blocks[0].attention
    model.stack.blocks[0].eval()
    modes = [module.training for module in model.modules()]
    expected = model.eval()(tokens)[0]
    for module, mode in zip(model.modules(), modes, strict=True):
        module.training = mode

    def stop(*_):
        raise RuntimeError("stopped")

    contexts = (ablate_heads({layer: [0]}), ablate_by_row([{layer: [1]}]), eval_mode(model))
    for context in contexts:
        with pytest.raises(RuntimeError, match="stopped"), context:
            stop()
    refuses(RuntimeError, "stopped", head_outputs, [layer], stop)
    head, model.head = model.head, Stops()
    model.head.weight = head.weight
    receivers = [(1, 0, "query")]
    for call in (
        lambda: patch_paths(model, tokens, [(0, 0)], receivers),
        lambda: model.generate(tokens, 2),
        lambda: run(model, tokens, [(0, 0)]),
        lambda: write_without(model, tokens, [[(0, 0)], [(1, 1)]], 2),
    ):
        refuses(RuntimeError, "stopped", call)
    model.head = head
    assert [module.training for module in model.modules()] == modes
    hooks = ("_forward_hooks", "_forward_pre_hooks")
    assert not any(getattr(module, name) for module in model.modules() for name in hooks)
    torch.testing.assert_close(model.eval()(tokens)[0], expected, rtol=0, atol=0)


def test_a_model_of_which_one_layer_does_not_divide_is_not_divided_at_all(monkeypatch):
    monkeypatch.setattr(torch.distributed, "get_world_size", lambda group=None: 2)
    monkeypatch.setattr(torch.distributed, "get_rank", lambda group=None: 1)
    layers = nn.Sequential(course_lib.MultiHeadAttention(D, H), course_lib.FeedForward(D, 15))
    before = [(name, type(part)) for name, part in layers.named_modules()]
    values = {name: tensor.clone() for name, tensor in layers.state_dict().items()}
    refuses(ValueError, "world_size must divide", parallelize, layers)
    assert [(name, type(part)) for name, part in layers.named_modules()] == before
    assert all(torch.equal(tensor, values[name]) for name, tensor in layers.state_dict().items())
    layers[1] = course_lib.FeedForward(D, 16)
    assert type(parallelize(layers)[0]) is ParallelAttention


def test_a_mask_fits_a_window_and_covers_the_text():
    torch.manual_seed(0)
    layer, x = course_lib.MultiHeadAttention(D, H), torch.randn(2, 8, D)
    mask = torch.rand(2, 1, 8, 8) > 0.3
    seen = course_lib.window_mask(8, window=3) | (torch.arange(8) < 1)
    cache = window()
    with torch.no_grad():
        expected, _ = layer(x, mask=mask & seen, is_causal=True)
        for i in range(8):
            for wrong in (mask[..., i : i + 1, :i], mask[..., i : i + 1, :8]):
                if wrong.shape[-1] not in (1, i + 1):
                    refuses(ValueError, "mask", layer, x[:, i : i + 1], mask=wrong, cache=cache)
            output, _ = layer(x[:, i : i + 1], mask=mask[..., i : i + 1, : i + 1], cache=cache)
            torch.testing.assert_close(output[:, 0], expected[:, i])
