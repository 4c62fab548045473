"""Ways to switch a head off, right ones and wrong ones, and what the report says of each."""

from contextlib import contextmanager

import pytest
import torch

import model_zoo as zoo
from course_checks import examine_ablation
from course_checks.examine.ablation_runs import Runs
from course_checks.examine.ablations import SENTENCES
from course_lib import DecoderLM
from course_lib.study import head_means, heads_off
from course_lib.study.head_places import layers_of
from refusals import refuses
from tools.notebooks.notebook_files import ROOT

NAMES = ["GPT-2", "Llama", "Qwen3", "BERT", "Whisper"]
KIND = {"Whisper": "decoder"}
WRITERS = NAMES[:3]


@pytest.fixture(params=NAMES)
def case(request):
    """A model, what it is given, and the layers whose heads are switched off."""
    model = MADE.setdefault(request.param, zoo.make(request.param))
    kind = KIND.get(request.param)
    return model, zoo.MODELS[request.param][1](), kind, layers_of(model, kind)


MADE = {}


def zeroed(x, own, where=...):
    x = x.clone()
    x[where][..., own] = 0
    return x


def before(layers, change):
    """Hooks on the inputs of the output map: change(x, own columns) for a layer and a head."""

    def switch_off(model, layer, head):
        one = layers[layer]
        return one.output_map.register_forward_pre_hook(
            lambda _, inputs: (change(inputs[0], one.columns(head)),)
        )

    return switch_off


def after(layers, change):
    def switch_off(model, layer, head):
        one = layers[layer]
        return one.output_map.register_forward_hook(
            lambda _, inputs, out: change(out, one.columns(head))
        )

    return switch_off


# --- right --------------------------------------------------------------------------------------


def as_context(layers, kind):
    return lambda model, layer, head: heads_off(model, [(layer, head)], kind=kind)


def as_list_of_handles(layers, kind):
    hook = before(layers, zeroed)
    return lambda model, layer, head: [hook(model, layer, head)]


def as_handle(layers, kind):
    return before(layers, zeroed)


def weight_of(layer, head):
    """The numbers of a head in the weight, a view."""
    weight, columns = layer.output_map.weight, layer.columns(head)
    return weight[columns] if hasattr(layer.output_map, "nf") else weight[:, columns]


def as_weights_that_come_back(layers, kind):
    @contextmanager
    def switch_off(model, layer, head):
        own = weight_of(layers[layer], head)
        kept = own.clone()
        own.zero_()
        try:
            yield
        finally:
            own.copy_(kept)

    return switch_off


def as_weights(layers, kind):
    def switch_off(model, layer, head):
        weight_of(layers[layer], head).zero_()

    return switch_off


def as_run_with_hooks(layers, kind):
    """TransformerLens' shape: hooks see (batch, position, head, head_dim), logits come back, and
    they are centred."""

    def switch_off(model, layer, head, inputs):
        one = layers[layer]

        def hook_z(z):
            z[:, :, head] = 0
            return z

        def hook(_, given):
            z = given[0].unflatten(-1, (one.num_heads, one.head_dim)).clone()
            return (hook_z(z).flatten(-2),)

        with one.output_map.register_forward_pre_hook(hook):
            logits = model(**inputs).logits
        return logits - logits.mean(dim=-1, keepdim=True)

    return switch_off


RIGHT = [as_context, as_list_of_handles, as_handle, as_weights_that_come_back, as_weights]
RIGHT += [as_run_with_hooks]


@pytest.mark.parametrize("style", RIGHT)
def test_a_right_way_passes_in_each_style(case, style):
    model, given, kind, layers = case
    before_it = zoo.output(model, given)
    layers[1].module.train()
    modes = [part.training for part in model.modules()]
    report = examine_ablation(model, style(layers, kind), given, kind=kind)
    assert report.passed and not report.looks_like, str(report)
    assert report["head off"].status == "passed"
    is_undone = style is not as_weights
    assert report["put back"].status == ("passed" if is_undone else "not applicable")
    has_cache = any(MADE.get(name) is model for name in WRITERS) and style is not as_run_with_hooks
    assert report["cached steps"].status == ("passed" if has_cache else "not applicable")
    assert "other_heads" in report.not_tested and "not tested" in str(report)
    assert modes == [part.training for part in model.modules()]
    assert torch.equal(zoo.output(model.eval(), given), before_it)


# --- wrong --------------------------------------------------------------------------------------


def rows(layers):
    def switch_off(model, layer, head):
        one = layers[layer]
        own, weight = one.columns(head), one.output_map.weight
        (weight[:, own] if hasattr(one.output_map, "nf") else weight[own]).zero_()

    return switch_off


def kv_head(layers):
    def change(x, own):
        size = own.stop - own.start
        head, group = own.start // size, layers[0].num_heads // layers[0].num_kv_heads
        return zeroed(x, slice(head * group * size, (head + 1) * group * size))

    return before(layers, change)


def layer(layers):
    hook = before(layers, zeroed)
    return lambda model, number, head: hook(model, number + 1, head)


def bias(layers):
    def switch_off(model, number, head):
        one = layers[number]
        hook = before(layers, zeroed)(model, number, head)
        return [hook, one.output_map.register_forward_hook(lambda _, i, x: x - one.output_map.bias)]

    return switch_off


def stays(layers):
    hook = before(layers, zeroed)

    def switch_off(model, number, head):
        hook(model, number, head)  # and its handle is lost

    return switch_off


def changed(change):
    return lambda layers: before(layers, change)


LAST = (slice(None), slice(-1, None))
WRONG = {function.__name__: function for function in (rows, kv_head, layer, bias, stays)} | {
    "output_slice": lambda layers: after(layers, zeroed),
    "nothing": lambda layers: lambda model, number, head: [],
    "scaled": changed(lambda x, own: x - 0.9 * (x - zeroed(x, own))),
    "first_sequence": changed(lambda x, own: zeroed(x, own, 0)),
    "last_position": changed(lambda x, own: zeroed(x, own, LAST)),
    "prefill_only": changed(lambda x, own: zeroed(x, own) if x.shape[1] > 1 else x),
    "whole_layer": changed(lambda x, own: 0 * x),
    "neighbour": changed(lambda x, own: zeroed(x, slice(own.stop, 2 * own.stop - own.start))),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_known_mistake_is_named(case, mistake):
    model, given, kind, layers = case
    one = layers[0]
    name = next(key for key, made in MADE.items() if made is model)
    if mistake == "kv_head" and one.num_kv_heads == one.num_heads:
        pytest.skip("each head has its own keys")
    if mistake == "bias" and getattr(one.output_map, "bias", None) is None:
        pytest.skip("the map has no bias")
    if mistake == "prefill_only" and name not in WRITERS:
        pytest.skip("the model is not tested with a cache")
    before_it = zoo.output(model, given)
    report = examine_ablation(model, WRONG[mistake](layers), given, kind=kind)
    assert set(report.looks_like) == {mistake}, str(report)
    assert not report.passed and "This looks like" in str(report)
    assert torch.equal(zoo.output(model, given), before_it)


def test_a_head_of_another_width_is_named():
    model = zoo.wide_heads()
    fifth = changed(lambda x, own: zeroed(x, slice(own.start * 8 // 10, own.stop * 8 // 10)))
    report = examine_ablation(model, fifth(layers_of(model)), zoo.text())
    assert set(report.looks_like) == {"head_dim"}, str(report)


@pytest.mark.parametrize("case", ["GPT-2", "Whisper"], indirect=True)
def test_means_may_stand_in_place_of_zero(case):
    model, given, kind, _ = case
    means = head_means(model, given, kind)

    def switch_off(model, layer, head):
        return heads_off(model, [(layer, head)], means, kind=kind)

    assert examine_ablation(model, switch_off, given, kind=kind, instead=means).passed
    report = examine_ablation(model, switch_off, given, kind=kind)
    assert not report.passed and not report.looks_like


def test_what_stops_and_what_is_no_function_is_said():
    model, given = zoo.make("Llama"), zoo.text()

    def stops(model, layer, head):
        raise AttributeError("no attribute 'attn'")

    report = examine_ablation(model, stops, given)
    assert report["head off"].words == "It stopped with AttributeError: no attribute 'attn'"
    refuses(TypeError, "a function of", examine_ablation, model, lambda x: x, given)
    refuses(TypeError, "a function of", examine_ablation, model, None, given)
    with pytest.raises(TypeError, match="inputs must be tokens, or a mapping.*got str"):
        examine_ablation(model, stops, "a text")


def test_the_library_page_shows_what_comes_out():
    page = (ROOT / "docs" / "library.md").read_text("utf-8")
    model = zoo.make("Llama")
    shown = str(examine_ablation(model, after(layers_of(model), zeroed), zoo.text()))
    assert shown[: shown.index("✘ head off")] in page
    assert len(SENTENCES) == 14 and "It knows fourteen such mistakes" in page


@pytest.mark.parametrize(("num_layers", "probed"), [(1, {0}), (2, {0}), (3, {1}), (4, {1, 2})])
def test_heads_are_tried_in_the_inner_layers(num_layers, probed):
    model = DecoderLM(5, d_model=8, num_heads=2, num_layers=num_layers, max_len=4)
    runs = Runs(model, as_context(None, None), torch.tensor([[1, 2, 3]]), None, None, False)
    assert {layer for layer, _ in runs.probes} == probed
