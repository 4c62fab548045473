"""Which form of mask a layer takes, found by trying each on it."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import torch

from course_checks.examine.calling import MEMORY_MASK_NAMES, BroughtLayer
from course_checks.examine.forms import (
    ADDED,
    KEY_SHAPES,
    KINDS,
    PAIR_SHAPES,
    MaskForm,
)
from course_checks.examine.measuring import BATCH, SMALL, WIDE, Probe, same_table

# What a form does. All but RUNS settle that the layer is meant to be given it.
HIDES, INVERTS, WEAKENS, RUNS = "hides", "inverts", "weakens", "runs"
REPLACES_CAUSAL = "hides, and no causal mask is left"
BRINGS_CAUSAL = "hides, and without it there is no causal mask"


def find_forms(probe: Probe, masks: list[str], paddings: list[str]) -> None:
    """Settle which arguments of the layer take a mask, and in which form.

    ``masks`` are arguments that take (query_len, key_len) in some form, or (batch, key_len);
    ``paddings`` take (batch, key_len). The first of each kind that fits is used.
    """
    layer = probe.layer
    if layer.required_masks:
        plain = probe.meant() | (layer.causal_argument is not None)
    else:
        plain = probe.who_moves(lambda x: probe.output(x, probe.paths[0], causal=_by_itself(probe)))
    if layer.memory is not None:
        _find_memory_masks(probe, masks, paddings, plain)
        masks = [name for name in masks if name not in layer.memory_masks]
        paddings = [name for name in paddings if name not in layer.memory_masks]
    for name in masks:
        form, effect = _choose_form(
            probe, name, [*_forms(layer, PAIR_SHAPES, 2), *_forms(layer, KEY_SHAPES, 1)], plain
        )
        if form is None:
            continue
        if not form.is_per_key:
            if layer.mask_argument is None:
                layer.mask_argument, layer.mask_form = name, form
                layer.mask_replaces_causal = effect in (REPLACES_CAUSAL, BRINGS_CAUSAL)
                if effect == BRINGS_CAUSAL:
                    layer.required_masks += (name,)
                    layer.mask_brings_causal = True
        elif layer.padding_argument is None and not paddings:
            layer.padding_argument, layer.padding_form = name, form
    if masks and layer.mask_argument is None and layer.padding_argument is None:
        layer.mask_argument = masks[0]  # it stops with an error, and the test called mask says so
    for name in paddings[:1]:
        form, _ = _choose_form(probe, name, [*_forms(layer, KEY_SHAPES, 1)], plain)
        layer.padding_argument = name
        layer.padding_form = form or MaskForm("(batch, key_len)")


def _find_memory_masks(
    probe: Probe, masks: list[str], paddings: list[str], plain: torch.Tensor
) -> None:
    """Which masks of a decoder layer hide tokens of its memory, seen with x left alone."""
    view = copy.copy(probe)
    view.layer, view.is_causal = replace(probe.layer, moves_memory=True), False
    forms = [*_forms(probe.layer, PAIR_SHAPES, 2), *_forms(probe.layer, KEY_SHAPES, 1)]
    for name in dict.fromkeys([*masks, *paddings, *probe.layer.memory_masks]):
        if name not in MEMORY_MASK_NAMES and _choose_form(probe, name, forms, plain)[1] != RUNS:
            continue
        _, effect = _choose_form(view, name, forms, torch.ones_like(plain))
        if name in MEMORY_MASK_NAMES or effect != RUNS:
            probe.layer.memory_masks[name] = effect


def _forms(layer: BroughtLayer, shapes: dict[str, str], unbatched: int) -> Iterator[MaskForm]:
    """All kinds of masks of these shapes; without a batch, of the first ``unbatched`` ones."""
    known = list(shapes) if layer.batched else list(shapes)[:unbatched]
    return (MaskForm(shape, kind) for kind in KINDS for shape in known)


def _by_itself(probe: Probe) -> bool:
    return probe.is_causal and probe.layer.causal_argument is None


def _choose_form(
    probe: Probe, name: str, forms: list[MaskForm], plain: torch.Tensor
) -> tuple[MaskForm | None, str]:
    """The first form that settles it; else the first that the layer takes; else None."""
    x, first = probe.draw(), None
    seen: list[torch.Tensor] = []  # what came out of forms that settled nothing
    for form in forms:
        try:
            with _as_mask(probe, name, form) as given:
                output = probe.output(x, probe.paths[0], causal=_by_itself(probe), **given)
                if any(not probe.differs(output, other).any() for other in seen):
                    continue
                effect = _effect(probe, form, plain, given)
        except Exception:  # whatever somebody's layer raises
            continue
        if effect in (HIDES, REPLACES_CAUSAL, BRINGS_CAUSAL):
            return form, effect
        if effect != RUNS and form.kind != ADDED:
            return form, effect
        seen.append(output)
        if first is None and form.kind != ADDED:
            first = form
    return first, RUNS


def _allowed(probe: Probe, form: MaskForm) -> torch.Tensor:
    """A mask (query_len, key_len) that is unlike its inverse and its transpose.

    For each query, it allows pairs in the future and forbids some in the past.
    """
    if form.is_per_key:
        return (torch.arange(probe.length) % 3 != 1).expand(probe.length, -1)
    rank, chain = torch.arange(probe.length), torch.arange(probe.length) % 2
    rank[1::2] = rank[1::2].flip(0)
    return (chain[:, None] == chain) & (rank[:, None] >= rank)


@contextmanager
def _as_mask(probe: Probe, name: str, form: MaskForm) -> Iterator[dict[str, torch.Tensor]]:
    """Let the layer take a mask in this form for a while; gives the mask to call it with."""
    layer, allowed = probe.layer, _allowed(probe, form).to(probe.device)
    before = layer.mask_argument, layer.mask_form, layer.padding_argument, layer.padding_form
    try:
        if form.is_per_key:
            layer.padding_argument, layer.padding_form = name, form
            yield {"padding": allowed[:1].expand(BATCH, -1)}
        else:
            layer.mask_argument, layer.mask_form = name, form
            yield {"mask": allowed}
    finally:
        layer.mask_argument, layer.mask_form, layer.padding_argument, layer.padding_form = before


def _effect(probe: Probe, form: MaskForm, plain: torch.Tensor, given: dict) -> str:
    """What the mask does: who moves whom with it, against who does without it."""
    allowed = _allowed(probe, form)

    def run(x):
        return probe.output(x, probe.paths[0], causal=_by_itself(probe), **given)

    moved = probe.who_moves(run)
    if same_table(moved, allowed & plain):
        sees_all = _by_itself(probe) and bool(plain.all())
        is_added = form.kind == ADDED and not form.is_per_key
        return BRINGS_CAUSAL if sees_all and is_added else HIDES
    if not form.is_per_key and same_table(moved, allowed) and _by_itself(probe):
        return REPLACES_CAUSAL
    if same_table(moved, ~allowed & plain):
        return INVERTS
    changes = probe.changes(lambda x: run(WIDE * x))
    own = probe.own
    hidden, shown = ~allowed & plain & ~own, allowed & plain & ~own
    if probe.tolerance < changes[hidden].max() < SMALL * changes[shown].max():
        return WEAKENS
    return RUNS
