"""Examine how somebody switches a head off: is it the head, all of it, and nothing else?

What their way makes of the model's outputs is compared with ``heads_off``, and where the two differ
with what each known mistake would make of them. A mistake is named only where all outputs agree.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext

import torch
from torch import nn

from course_checks.examine.ablation_runs import Runs, put_back
from course_checks.examine.report import (
    FAILED,
    MUST_NOT,
    NOT_APPLICABLE,
    PASSED,
    STILL,
    Finding,
    Report,
    picture,
)
from course_lib.model.block import eval_mode
from course_lib.study.ablation import Head, outputs_on
from course_lib.study.head_places import AttentionHeads

SENTENCES = {
    "nothing": "a way that changes nothing: the outputs are those with all heads on.",
    "output_slice": "a slice of the output map's OUTPUT that is set to zero. That is no head: each "
    "of its numbers is a sum over all heads. Cut the map's input, in a forward pre-hook.",
    "rows": "rows of the output map's weight in place of columns (in Conv1D, columns in place of "
    "rows): a head owns inputs of that map, not outputs.",
    "kv_head": "a head of keys and values in place of a head of queries: all heads that share it "
    "are off.",
    "layer": "another layer: the layers' numbers are off by place. They begin at 0.",
    "neighbour": "another head of the layer: the heads' numbers are off by place. They begin at 0.",
    "head_dim": "a head of another width: it has the layer's head_dim, which need not be "
    "d_model / num_heads.",
    "whole_layer": "all heads of the layer, not place.",
    "bias": "a head and the output map's bias: the bias belongs to no head.",
    "first_sequence": "the first sequence of the batch only: write [..., columns], not [0, ...].",
    "last_position": "the last position only: at all others, which later layers read, it is on.",
    "scaled": "a head that is multiplied by {factor:.2g} and not by 0.",
    "prefill_only": "a head that is off while the prompt is read, and on again in the steps with "
    "the cache, which read one token each.",
    "stays": "a hook that stays, or weights that do: afterwards the head is still off. Remove each "
    "hook in a finally.",
}
ENDINGS = {
    PASSED: "Afterwards the model is as before.",
    FAILED: "Afterwards the model's outputs are not those with all heads on.",
    NOT_APPLICABLE: "Your function returns nothing that would undo it.",
}
NOT_TESTED = {
    "other_heads": "heads and layers but {heads}.",
    "padding": "texts with padding, gradients and half precision.",
    "meaning": "whether zero is the right thing to put there: a head never says zero. Compare with "
    "its mean, and with as many other heads by chance.",
}


def examine_ablation(
    model: nn.Module,
    switch_off: Callable,
    inputs: torch.Tensor | Mapping,
    *,
    kind: str | None = None,
    instead: Mapping[nn.Module, torch.Tensor] | None = None,
) -> Report:
    """Test a way to switch a head off, and say in plain words what is wrong with it.

        def mine(model, layer, head):
            o_proj = model.model.layers[layer].self_attn.o_proj
            return o_proj.register_forward_pre_hook(...)

        print(examine_ablation(model, mine, tokenizer([text, other], return_tensors="pt")))

    It is tried on two heads, in eval mode and without gradients. Hooks and weights are put back.

    Args:
        model: ours or transformers', with heads that ``find_heads`` finds.
        switch_off: a function of (model, layer, head), both counted from 0, that returns a context
            manager, or a hook's handle or several, or None where it changes weights; or a function
            of (model, layer, head, inputs) that runs the model itself, as with TransformerLens or
            nnsight, and returns what the model says.
        inputs: what the model is given: tokens (batch, length), or a mapping of its arguments. Two
            sequences or more, without padding, of 4 tokens or more.
        kind: of heads, see ``heads_off``.
        instead: what takes the place of the head's output, as in ``heads_off``; zero when None.

    Returns:
        A ``Report``, to be printed or shown in a notebook.

    Raises:
        TypeError: ``switch_off`` is no function of three or four arguments, or ``inputs`` are
            neither a tensor nor a mapping.
        ValueError: the model's heads cannot be cut, see ``heads_off``.
    """
    parameters = inspect.signature(switch_off).parameters if callable(switch_off) else {}
    if len(parameters) not in (3, 4):
        raise TypeError(
            "switch_off must be a function of (model, layer, head) or (model, layer, head, inputs)"
        )
    if not isinstance(inputs, torch.Tensor | Mapping):
        wanted = "tokens, or a mapping of the model's arguments"
        raise TypeError(f"inputs must be {wanted}, got {type(inputs).__name__}")
    with eval_mode(model), torch.no_grad():
        runs = Runs(model, switch_off, inputs, kind, instead, len(parameters) == 4)
        findings, names = _report(runs)
    heads = " and ".join(f"L{layer}H{head}" for layer, head in runs.probes)
    open_questions = {name: text.format(heads=heads) for name, text in NOT_TESTED.items()}
    return Report(tuple(findings), names, open_questions)


def _report(runs: Runs) -> tuple[list[Finding], dict[str, str]]:
    """The findings, and the mistakes that it looks like, each with its sentence."""
    names: dict[str, str] = {}
    fitting: list[set[str]] = []  # for each head that came out wrong, the mistakes that fit
    endings, table = [], None
    for probe in runs.probes:
        with runs.off(probe):
            expected = runs.run()
        try:
            outputs, ending, changed = runs.users(probe)
            differs = runs.differ(outputs, expected)
        except Exception as error:  # whatever somebody's function raises
            words = f"It stopped with {type(error).__name__}: {error}"
            return [Finding("head off", FAILED, words)], {}
        endings.append(ending)
        if differs.any():
            table = differs if table is None else table
            fitting.append(set(_looks_like(runs, probe, outputs, changed, names)))
    looks = {name: names[name] for name in names if all(name in fits for fits in fitting)}
    head_off = Finding("head off", PASSED, "Each output is as without the head.")
    if table is not None:
        head_off = _differing("head off", "without the head", table)
    ending = FAILED if FAILED in endings else endings[0]
    if ending == FAILED:
        looks["stays"] = SENTENCES["stays"]
    afterwards = Finding("put back", ending, ENDINGS[ending])
    return [head_off, afterwards, _steps(runs, looks, table is None)], looks


def _looks_like(
    runs: Runs, probe: Head, outputs: torch.Tensor, changed: bool, names: dict[str, str]
) -> Iterator[str]:
    """Yield the mistakes that give just these outputs; ``names`` gets their sentences."""
    hit = not runs.differ(outputs, runs.whole).any()
    if hit:
        names["nothing"] = SENTENCES["nothing"]
        yield "nothing"
    for name, way in _mistakes(runs, probe):
        with way:
            is_it = not runs.differ(outputs, runs.run()).any()
        if is_it:
            hit = True
            # Without a bias, both give the same numbers.
            name = "rows" if changed and name == "output_slice" else name
            names.setdefault(name, SENTENCES[name])
            yield name
    if not hit and (factor := _factor(runs, probe, outputs)) is not None:
        names["scaled"] = SENTENCES["scaled"].format(factor=factor)
        yield "scaled"


def _mistakes(runs: Runs, probe: Head) -> Iterator[tuple[str, AbstractContextManager]]:
    (layer, head), place = probe, runs.layers[probe[0]]
    own, heads = place.columns(head), range(place.num_heads)
    yield "output_slice", _hooked(place, own, lambda _: 0, after=True)
    if (bias := getattr(place.output_map, "bias", None)) is not None:
        yield "rows", _hooked(place, own, lambda _: bias[own], after=True)
        yield "bias", _without_bias(runs, probe, bias)
    for other in (layer - 1, layer + 1):
        if other in runs.layers and head < runs.layers[other].num_heads:
            yield "layer", runs.off((other, head))
    for other in (head - 1, head + 1):
        if other in heads:
            yield "neighbour", runs.off((layer, other))
    if (group := place.num_heads // place.num_kv_heads) > 1:
        for first in (head // group * group, head * group):
            shared = [(layer, n) for n in range(first, first + group) if n in heads]
            yield "kv_head", runs.off(*shared)
    width = place.output_map.weight.numel() // (place.num_heads * place.head_dim)  # what comes out
    if width % place.num_heads == 0 and (dim := width // place.num_heads) != place.head_dim:
        yield "head_dim", _hooked(place, slice(head * dim, head * dim + dim), lambda _: 0)
    yield "whole_layer", runs.off(*((layer, n) for n in heads))
    says = outputs_on(runs.model, runs.inputs, runs.kind)[place.module]
    for name, where in (("first_sequence", (0,)), ("last_position", (slice(None), -1))):
        positions = torch.zeros(says.shape[:2], dtype=torch.bool)
        positions[where] = True
        yield name, runs.off(probe, positions=positions)


@contextmanager
def _without_bias(runs: Runs, probe: Head, bias: torch.Tensor) -> Iterator[None]:
    place = runs.layers[probe[0]]
    with runs.off(probe), _hooked(place, slice(None), lambda x: x - bias, after=True):
        yield


def _factor(runs: Runs, probe: Head, outputs: torch.Tensor) -> float | None:
    """Return by what the head was multiplied, if that explains all outputs."""
    place = runs.layers[probe[0]]
    own = place.columns(probe[1])

    def distance(factor: float) -> float:
        with _hooked(place, own, lambda x: factor * x):
            return (outputs - runs.run()).abs().max().item()

    best = 0.5
    for step in (0.25 / 4**n for n in range(12)):  # finer and finer, around the best so far
        best = min((best + n * step for n in range(-4, 5)), key=distance)
    with _hooked(place, own, lambda x: best * x):
        return None if runs.differ(outputs, runs.run()).any() else best


def _steps(runs: Runs, names: dict[str, str], is_off: bool) -> Finding:
    """Whether the head is off in the steps with a cache, too."""
    test, probe = "cached steps", runs.probes[0]
    if not is_off:
        return Finding(test, NOT_APPLICABLE, "The head is not off without a cache either.")
    if runs.runs_itself:
        return Finding(test, NOT_APPLICABLE, "Your function runs the model itself.")
    try:
        expected = runs.in_steps(lambda _: runs.off(probe))
    except Exception as error:  # whatever a model raises that has no cache
        why = f"The model does not read a text with a cache: {type(error).__name__}."
        return Finding(test, NOT_APPLICABLE, why)
    with put_back(runs.model), runs.under(probe):
        outputs = runs.in_steps(lambda _: nullcontext())
    differs = runs.differ(outputs, expected)
    if not differs.any():
        return Finding(test, PASSED, "The head is off while a prompt is read, and behind it.")
    prefill = runs.in_steps(lambda number: nullcontext() if number else runs.off(probe))
    if not runs.differ(outputs, prefill).any():
        names["prefill_only"] = SENTENCES["prefill_only"]
    return _differing(test, "without the head, where the last two tokens come alone", differs)


def _differing(test: str, without: str, differs: torch.Tensor) -> Finding:
    row, column = differs.nonzero()[0].tolist()
    words = (
        f"Output {column} of sequence {row} is not as {without}. {differs.sum()} of "
        f"{differs.numel()} outputs differ."
    )
    meanings = {STILL: "as without the head", MUST_NOT: "differs"}
    return Finding(test, FAILED, words, picture(2 * differs, "sequence", "position", meanings))


@contextmanager
def _hooked(
    layer: AttentionHeads, own: slice, change: Callable, after: bool = False
) -> Iterator[None]:
    """Change some inputs of a layer's output map, or some of its outputs."""

    def changed(x: torch.Tensor) -> torch.Tensor:
        x = x.clone()
        x[..., own] = change(x[..., own])
        return x

    if after:
        hook = layer.output_map.register_forward_hook(lambda *given: changed(given[-1]))
    else:
        hook = layer.output_map.register_forward_pre_hook(lambda _, given: (changed(given[0]),))
    try:
        yield
    finally:
        hook.remove()
