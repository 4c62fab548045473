"""Which form of mask a layer takes, found by trying each on it."""

from collections.abc import Iterator

import torch

from course_lib.study.examine.calling import BroughtLayer
from course_lib.study.examine.forms import (
    ADDED,
    KEY_SHAPES,
    KINDS,
    PAIR_SHAPES,
    MaskForm,
)
from course_lib.study.examine.measuring import BATCH, SMALL, Measurements, same_table

# What a form does. All but RUNS settle that the layer is meant to be given it.
HIDES, INVERTS, WEAKENS, RUNS = "hides", "inverts", "weakens", "runs"
REPLACES_CAUSAL = "hides, and no causal mask is left"
BRINGS_CAUSAL = "hides, and without it there is no causal mask"


def find_forms(of: Measurements, masks: list[str], paddings: list[str]) -> None:
    """Settle which arguments of the layer take a mask, and in which form.

    ``masks`` are arguments that take (query_len, key_len) in some form, or (batch, key_len);
    ``paddings`` take (batch, key_len). The first of each kind that fits is used.
    """
    layer = of.layer
    layer.mask_argument = layer.padding_argument = None
    plain = _plain(of)
    for name in masks:
        form, effect = _settle(of, name, [*_pairs(layer), *_keys(layer)], plain)
        if form is None or not form.is_per_key:
            if layer.mask_argument is None:
                layer.mask_argument, layer.mask_form = name, form or MaskForm()
                layer.mask_replaces_causal = effect in (REPLACES_CAUSAL, BRINGS_CAUSAL)
                if effect == BRINGS_CAUSAL:
                    layer.required_masks += (name,)
                    layer.mask_brings_causal = True
        elif layer.padding_argument is None and not paddings:
            layer.padding_argument, layer.padding_form = name, form
    for name in paddings[:1]:
        form, _ = _settle(of, name, [*_keys(layer)], plain)
        layer.padding_argument = name
        layer.padding_form = form or MaskForm("(batch, key_len)")


def _pairs(layer: BroughtLayer) -> Iterator[MaskForm]:
    shapes = list(PAIR_SHAPES) if layer.batched else list(PAIR_SHAPES)[:2]
    return (MaskForm(shape, kind) for kind in KINDS for shape in shapes)


def _keys(layer: BroughtLayer) -> Iterator[MaskForm]:
    shapes = list(KEY_SHAPES) if layer.batched else list(KEY_SHAPES)[:1]
    return (MaskForm(shape, kind) for kind in KINDS for shape in shapes)


def _plain(of: Measurements) -> torch.Tensor:
    """Who moves whom without a mask; what is meant, where the layer asks for one."""
    if of.layer.required_masks:
        return of.meant() if of.layer.causal_argument is None else torch.ones_like(of.meant())
    return of.who_moves(lambda x: of.output(x, of.paths[0], causal=_by_itself(of)))


def _by_itself(of: Measurements) -> bool:
    return of.is_causal and of.layer.causal_argument is None


def _settle(
    of: Measurements, name: str, forms: list[MaskForm], plain: torch.Tensor
) -> tuple[MaskForm | None, str]:
    """The first form that settles it; else the first that the layer takes; else None."""
    first = None
    for form in forms:
        try:
            effect = _effect(of, name, form, plain)
        except Exception:  # whatever somebody's layer raises
            continue
        if effect in (HIDES, REPLACES_CAUSAL, BRINGS_CAUSAL):
            return form, effect
        if effect != RUNS and form.kind != ADDED:
            return form, effect
        if first is None and form.kind != ADDED:
            first = form
    return first, RUNS


def _effect(of: Measurements, name: str, form: MaskForm, plain: torch.Tensor) -> str:
    """Give the layer a mask in this form, and see what it does."""
    layer = of.layer
    allowed = of.draw_mask()
    if form.is_per_key:
        real = torch.arange(of.length) % 3 != 1
        allowed = real.expand(of.length, -1)
        layer.padding_argument, layer.padding_form = name, form
        given = {"padding": of.to_device(real.expand(BATCH, -1))}
    else:
        layer.mask_argument, layer.mask_form = name, form
        given = {"mask": of.to_device(allowed)}
    try:
        changes = of.changes(lambda x: of.output(x, of.paths[0], causal=_by_itself(of), **given))
    finally:
        if form.is_per_key:
            layer.padding_argument = None
        else:
            layer.mask_argument = None
    moved = changes > of.tolerance
    if same_table(moved, allowed & plain):
        sees_all = _by_itself(of) and bool(plain.all())
        is_added = form.kind == ADDED and not form.is_per_key
        return BRINGS_CAUSAL if sees_all and is_added else HIDES
    if not form.is_per_key and same_table(moved, allowed) and _by_itself(of):
        return REPLACES_CAUSAL
    if same_table(moved, ~allowed & plain):
        return INVERTS
    own = torch.eye(of.length, dtype=torch.bool)
    hidden, seen = ~allowed & plain & ~own, allowed & plain & ~own
    if of.tolerance < changes[hidden].max() < SMALL * changes[seen].max():
        return WEAKENS
    return RUNS
