"""Heads found, switched off, patched and measured in models of many architectures."""

import copy
import re
from functools import cache

import pytest
import torch
import transformers
from torch import nn

import model_zoo as zoo
from course_lib import MultiHeadAttention
from course_lib.figures import effect_grid
from course_lib.study import find_heads, head_effects, head_means, heads_off, outputs_on, patched
from course_lib.study.ablation import run, write_without
from course_lib.study.head_places import heads_of, layers_of
from refusals import refuses

KINDS = [
    (name, kind)
    for name, (_, given) in zoo.MODELS.items()
    for kind in (
        ("encoder", "decoder", "cross") if given in (zoo.pair, zoo.sound, zoo.own_pair) else (None,)
    )
]
OFF = [(0, 1), (1, 0), (1, 3)]
FEW = ["GPT-2", "Llama", "BERT", "T5"]
FLOAT_INPUTS = ["Whisper", "ViT"]


@cache
def model_of(name):
    """One model for all tests, which leave it as it is."""
    return zoo.make(name)


def close(actual, expected, atol=2e-5):
    torch.testing.assert_close(actual, expected, atol=atol, rtol=1e-4)


def without_columns(model, off, kind=None):
    """A copy of the model in which the weights of these heads are zero."""
    other = copy.deepcopy(model)
    layers = layers_of(other, kind)
    for layer, head in off:
        weight, own = layers[layer].output_map.weight, layers[layer].columns(head)
        is_transposed = isinstance(layers[layer].output_map, transformers.pytorch_utils.Conv1D)
        weight.data[own if is_transposed else (slice(None), own)] = 0
    return other


@pytest.mark.parametrize(
    "name, kind", [(name, kind) for name, kind in KINDS if not name.startswith("our")]
)
@torch.no_grad()
def test_the_columns_of_a_head_are_those_that_move_with_its_weights(name, kind):
    """transformers numbers the maps it returns. Change one number that makes queries, and see in
    which maps and in which columns something changes."""
    model = copy.deepcopy(model_of(name)).double()
    layer = layers_of(model, kind)[0]
    width, given = layer.head_dim, zoo.MODELS[name][1]()
    given = {
        key: part.double() if part.is_floating_point() else part for key, part in given.items()
    }
    query_map = next(
        part
        for part_name, part in layer.module.named_modules()
        if part_name.split(".")[-1] in ("q_proj", "q", "query", "query_key_value", "c_attn")
    )

    def look():
        kept = []
        hook = layer.output_map.register_forward_pre_hook(lambda _, inputs: kept.append(inputs[0]))
        out = model(**given, output_attentions=True)
        hook.remove()
        weights = out.attentions if kind is None else getattr(out, f"{kind}_attentions")
        return weights[0], kept[0].unflatten(-1, (-1, width))

    before = look()
    found = set()
    rows = query_map.weight.T if hasattr(query_map, "nf") else query_map.weight
    for row in range(0, len(rows), 5):
        kept_row = rows.data[row].clone()
        rows.data[row] += 0.3
        weights, heads = look()
        rows.data[row] = kept_row
        looks = (weights - before[0]).abs().amax(dim=(0, 2, 3)) > 1e-12
        says = (heads - before[1]).abs().amax(dim=(0, 1, 3)) > 1e-12
        if looks.any():  # not a row that makes values
            assert torch.equal(looks, says)
            found |= set(looks.nonzero().flatten().tolist())
    assert found == {0, 1, 2, 3}


@pytest.mark.parametrize("name, kind", KINDS)
@torch.no_grad()
def test_off_is_what_zero_columns_give_and_nothing_else_moves(name, kind):
    model, given = model_of(name), zoo.MODELS[name][1]()
    before = zoo.output(model, given)
    assert [layer.num_heads for layer in find_heads(model, kind)] == [4, 4]
    state = copy.deepcopy(model.state_dict())
    with heads_off(model, OFF, kind=kind):
        off = zoo.output(model, given)
    close(off, zoo.output(without_columns(model, OFF, kind), given))
    assert (off - before).abs().max() > 1e-3
    assert torch.equal(zoo.output(model, given), before)
    assert all(torch.equal(part, state[key]) for key, part in model.state_dict().items())
    assert not any(part._forward_pre_hooks or part._forward_hooks for part in model.modules())


@pytest.mark.parametrize("name", FEW)
@torch.no_grad()
def test_heads_are_off_at_some_positions_only(name):
    model, given = model_of(name), zoo.MODELS[name][1]()
    kind = "encoder" if name == "T5" else None
    where = torch.zeros(2, zoo.LENGTH, dtype=torch.bool)
    where[0, 2] = where[1, 4] = True
    layer, seen = layers_of(model, kind)[1], []
    with heads_off(model, [(1, 2)], kind=kind, positions=where):
        hook = layer.output_map.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
        model(**given)
    model(**given)
    hook.remove()
    expected = seen[1].clone()
    expected[..., layer.columns(2)] *= ~where[..., None]
    close(seen[0], expected)
    with (
        pytest.raises(ValueError, match="positions must be as long as .* 7, got 3"),
        heads_off(model, [(1, 2)], kind=kind, positions=where[:, :3]),
    ):
        model(**given)


@pytest.mark.parametrize("name, kind", [(name, "cross" if name == "T5" else None) for name in FEW])
@torch.no_grad()
def test_patched_heads_say_what_they_say_of_the_other_text(name, kind):
    model, (_, given) = model_of(name), zoo.MODELS[name]
    says = outputs_on(model, given(1), kind)[layers_of(model, kind)[1].module][:, :, 2]
    layer, seen = layers_of(model, kind)[1], []
    with patched(model, [(1, 2)], given(1), kind=kind):
        hook = layer.output_map.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
        model(**given())
        hook.remove()
    close(seen[0][..., layer.columns(2)], says)
    with patched(model, [(n, h) for n in (0, 1) for h in range(4)], given(), kind=kind):
        close(zoo.output(model, given()), zoo.output(model, given()))


@torch.no_grad()
def test_means_are_over_what_is_no_padding():
    for name, kind, mask in (
        ("BERT", None, "attention_mask"),
        ("T5", "encoder", "attention_mask"),
        ("T5", "decoder", "decoder_attention_mask"),
    ):
        model, given = model_of(name), zoo.MODELS[name][1]()
        length = 5 if kind == "decoder" else zoo.LENGTH
        shown = torch.ones(2, length, dtype=torch.long)
        shown[0, 4:] = 0
        given = given | {mask: shown}
        for attention, means in head_means(model, given, kind).items():
            close(means, outputs_on(model, given, kind)[attention][shown.bool()].mean(dim=0))
        with heads_off(model, OFF, head_means(model, given, kind), kind=kind):
            assert zoo.output(model, given).isfinite().all()


@pytest.mark.parametrize("name", zoo.WRITERS)
@torch.no_grad()
def test_a_text_is_written_with_a_cache_and_padding_as_by_a_model_with_zero_columns(name):
    model, given = model_of(name), zoo.text()
    given["attention_mask"] = torch.ones_like(given["input_ids"])
    given["attention_mask"][0, :3] = 0
    settings = {"max_new_tokens": 4, "do_sample": False, "output_logits": True}
    settings |= {"return_dict_in_generate": True, "pad_token_id": 0}
    expected = without_columns(model, OFF).generate(**given, **settings)
    with heads_off(model, OFF):
        found = model.generate(**given, **settings)
    assert torch.equal(found.sequences, expected.sequences)
    for ours, theirs in zip(found.logits, expected.logits, strict=True):
        close(ours, theirs)


@pytest.mark.parametrize("name, kind", [pair for pair in KINDS if pair[0] not in FLOAT_INPUTS])
def test_gradients_and_half_precision(name, kind):
    model, given = copy.deepcopy(model_of(name)), zoo.MODELS[name][1]()
    other = without_columns(model, OFF, kind)
    with heads_off(model, OFF, kind=kind):
        zoo.output(model, given).square().mean().backward()
    zoo.output(other, given).square().mean().backward()
    maps = [layer.output_map.weight for layer in layers_of(other, kind).values()]
    for ours, theirs in zip(model.parameters(), other.parameters(), strict=True):
        if not any(theirs is weight for weight in maps):  # theirs are zero there, ours are not
            close(ours.grad, theirs.grad)
    model, other = model.bfloat16(), other.bfloat16()
    with torch.no_grad(), heads_off(model, OFF, kind=kind):
        found = zoo.output(model, given)
    assert found.dtype == torch.bfloat16
    close(found, zoo.output(other, given), atol=1e-6)


def test_an_interrupt_leaves_no_hook():
    model = model_of("Llama")
    with pytest.raises(KeyboardInterrupt), heads_off(model, OFF):
        raise KeyboardInterrupt
    assert not any(part._forward_pre_hooks or part._forward_hooks for part in model.modules())


def test_where_a_head_is_in_words():
    gpt2, llama, bert = (find_heads(model_of(name))[1] for name in ("GPT-2", "Llama", "BERT"))
    assert str(gpt2).endswith("rows 8 i to 8 i + 7 of transformer.h.1.attn.c_proj.weight")
    assert str(bert) == (
        "encoder layer 1: 4 heads of 8 numbers; head i is columns 8 i to 8 i + 7 of "
        "bert.encoder.layer.1.attention.output.dense.weight"
    )
    assert str(llama).endswith("; 2 neighbours share keys and values")
    refuses(ValueError, "heads must be between 0 and 3, got 4", llama.columns, 4)


def jamba():
    settings = {"attn_layer_period": 2, "attn_layer_offset": 1, "num_experts": 1}
    return transformers.JambaModel(transformers.JambaConfig(**zoo.GROUPED, **settings))


def test_layers_keep_their_numbers_and_kinds_their_names():
    assert [layer.number for layer in find_heads(jamba())] == [1]
    swin = transformers.SwinConfig(
        image_size=16, patch_size=2, embed_dim=12, depths=[1, 2], num_heads=[2, 4], window_size=2
    )
    sizes = [(layer.number, layer.num_heads) for layer in find_heads(transformers.SwinModel(swin))]
    assert sizes == [(0, 2), (1, 4), (2, 4)]
    side = {name: zoo.VIT_SIZES[name] for name in list(zoo.VIT_SIZES)[:4]}
    clip = transformers.CLIPConfig(
        text_config=side | {"vocab_size": 40}, vision_config=side | zoo.IMAGE
    )
    kinds = {layer.kind for layer in find_heads(transformers.CLIPModel(clip))}
    assert kinds == {f"{what}_model.encoder.layers.*.self_attn" for what in ("text", "vision")}
    kinds = {layer.kind for layer in find_heads(model_of("Whisper"))}
    assert kinds == {"encoder", "decoder", "cross"}
    assert len(find_heads(model_of("Whisper"), "cross")) == 2
    part_of_a_word = nn.ModuleDict({"autoencoder": nn.ModuleList([MultiHeadAttention(8, 2)])})
    assert find_heads(part_of_a_word)[0].kind == "self"


class Fused(nn.Module):
    """Attention whose last step is one function of the heads and the weight."""

    num_heads, n_head = [2, 4], 2  # a list is of all layers, as in Swin's config

    def __init__(self):
        super().__init__()
        self.q_proj, self.out_proj = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        return nn.functional.linear(self.q_proj(x), self.out_proj.weight)


def checkpointed():
    model = zoo.make("Llama").train()
    model.gradient_checkpointing_enable()
    return model


TORCHS = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, batch_first=True), 1)
MAMBA = transformers.MambaConfig(vocab_size=40, hidden_size=24, num_hidden_layers=2)
CONVBERT = transformers.ConvBertModel(transformers.ConvBertConfig(**zoo.SIZES, embedding_size=32))
QUERIES = nn.ModuleDict({"query": nn.Linear(8, 8)})
OUTPUT_ALONE = nn.ModuleDict({"self": QUERIES, "output": nn.Linear(8, 8)})  # not output.dense


def llama():
    return model_of("Llama")


def test_a_model_of_others_writes_what_it_generates():
    tokens = torch.tensor([[5, 9, 2, 9, 5]])
    written, _ = write_without(llama(), tokens, [[], [(0, 1)]], 6)
    assert torch.equal(
        written[:1], llama().generate(tokens, max_new_tokens=6, do_sample=False)[:, 5:]
    )


def fused_llama():
    sizes = zoo.GROUPED | {"attn_implementation": "sdpa"}
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes))


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize(
    "make, options, message",
    [
        (lambda: transformers.MambaModel(MAMBA), {}, "its layers hold MambaRMSNorm, MambaMixer"),
        (lambda: TORCHS, {}, "inside one function.* attention_from_torch makes"),
        (lambda: CONVBERT, {}, "has 2 heads of 8 numbers, and its output.dense takes 32"),
        (jamba, {}, r"a layer must be one of \[1\], for the others have no heads"),
        (llama, {"heads": (0, 1)}, r"heads must be pairs \(layer, head\), .* got \(0, 1\)"),
        (llama, {"heads": {0: [1]}}, r"heads must be pairs \(layer, head\), .* got \{0: \[1\]\}"),
        (llama, {"heads": [(2, 0)]}, "a layer must be between 0 and 1, got 2"),
        (llama, {"heads": [(0, 4)]}, "heads must be between 0 and 3, got 4"),
        (lambda: model_of("T5"), {}, r"kind must say which .* \['encoder', 'decoder', 'cross'\]"),
        (lambda: model_of("T5"), {"kind": "self"}, "kind must be one of"),
        (
            lambda: torch.compile(model_of("our decoder"), backend="eager"),
            {},
            "must not be compiled",
        ),
        (checkpointed, {}, "must not use gradient checkpointing"),
    ],
)
def test_what_cannot_be_cut_is_refused_in_words(make, options, message):
    options = {"heads": [(0, 0)]} | options
    with pytest.raises(ValueError, match=message), heads_off(make(), **options):
        pass


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: find_heads("gpt2"), "model must be a torch.nn.Module, got str"),
        (lambda: heads_of(OUTPUT_ALONE), "ModuleDict is no attention with a map behind its heads"),
        (lambda: head_means(llama(), ["a text"]), "arguments, or tokens, got list"),
        (lambda: outputs_on(model_of("T5"), zoo.tokens(), "encoder"), "arguments, got Tensor"),
        (lambda: run(fused_llama(), zoo.tokens()), 'attn_implementation="eager"'),
        (lambda: head_effects(llama(), lambda: torch.zeros(3)), r"one number, got .*\[3\]"),
        (lambda: head_effects(llama(), lambda: None), "one number, got NoneType"),
    ],
)
def test_what_is_of_another_kind_is_refused_in_words(call, message):
    refuses(TypeError, message, call)


def test_a_layer_that_does_not_call_its_map_is_an_error_and_no_silence():
    assert heads_of(Fused()).num_heads == 2
    model = nn.Sequential(Fused())
    with (
        pytest.raises(RuntimeError, match="not switched off in every layer"),
        heads_off(model, [(0, 1)]),
    ):
        model(torch.randn(1, 3, 8))
    ours = model_of("our decoder")
    compiled = torch.compile(ours, backend="eager")
    with torch.no_grad():
        compiled(zoo.tokens())
        with pytest.raises(RuntimeError, match="not switched off in every"), heads_off(ours, OFF):
            compiled(zoo.tokens())


@pytest.mark.parametrize("name", ["GPT-2", "Llama", "our decoder"])
@torch.no_grad()
def test_the_effects_of_all_heads_beside_the_others_of_their_layers(name):
    model, given = model_of(name), zoo.MODELS[name][1]()

    def chance():
        return zoo.output(model, given)[0, -1].softmax(dim=-1)[5].item()

    found = head_effects(model, chance, progress=False)
    assert found.before == chance() and len(found.effects) == 8
    by_hand = {}
    for head in found.effects:
        other = without_columns(model, [head])
        by_hand[head] = zoo.output(other, given)[0, -1].softmax(dim=-1)[5].item() - chance()
    assert found.effects == pytest.approx(by_hand, abs=1e-5)
    rows = found.rows()
    sizes = sorted(map(abs, by_hand.values()), reverse=True)
    assert [abs(row["effect"]) for row in rows] == pytest.approx(sizes, abs=1e-5)
    for row in rows:
        others = [by_hand[a, b] for a, b in by_hand if a == row["layer"] and b != row["head"]]
        summary = [row[key] for key in ("others", "lowest", "highest")]
        assert summary == pytest.approx([sum(others) / 3, min(others), max(others)], abs=1e-5)
    assert re.search(r"^ +{layer}.{head} +[+-]".format(**rows[0]), str(found).splitlines()[2])
    assert str(type(found)(1.0, {(0, 0): 0.5})).endswith("+nan")  # it has no other head beside it
    only = head_effects(model, chance, layers=[1], progress=False)
    assert set(only.effects) == {(1, head) for head in range(4)}
    refuses(AttributeError, "cannot assign", setattr, found, "before", 0.0)
    with pytest.raises(ValueError, match=r"layers must be among \[0, 1\], got \[2\]"):
        head_effects(model, chance, layers=[2])
    refuses(ValueError, "must be in eval mode", head_effects, copy.deepcopy(model).train(), chance)


def test_the_grid_shows_each_effect_in_its_place():
    ax = effect_grid({(3, 0): 0.5, (3, 1): -0.25, (7, 0): 0.0})
    (mesh,) = ax.collections
    assert mesh.get_array().filled(9).tolist() == [[0.5, -0.25], [0.0, 9]]
    assert mesh.get_clim() == (-0.5, 0.5)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["3", "7"]
    assert {text.get_text() for text in ax.texts} == {"0.5", "-0.25", "0"}
    refuses(ValueError, "effects must hold at least one head", effect_grid, {})
