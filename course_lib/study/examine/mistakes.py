"""Which known mistake it is, told by the whole pattern of what was measured.

Each rule predicts a table, and names its mistake only where the layer shows exactly that table.
"""

from collections.abc import Iterator

import torch

from course_lib.study.examine.judging import Path
from course_lib.study.examine.measuring import Measurements

SMALL = 0.02  # a change of this share of another one is only a trace of it
DROPPED = {"no_causal_mask", "mask_ignored", "padding_ignored"}
SHAPE_TESTS = {"other tokens", "leak test", "equivariance"}
WHEN = {True: "when the weights are returned", False: "when no weights are returned"}

SENTENCES = {
    "random": "dropout that also works in eval mode: pass training=self.training to F.dropout, "
    "and dropout_p=0.0 to scaled_dot_product_attention when it is False.",
    "ignores_input": "a layer whose last weights are all zero: its output depends on no input.",
    "batch_and_length": "a layer that takes the batch for the length: give it the other layout, "
    "or say batch_first the other way round.",
    "heads_joined": "heads that are joined without a transpose: before the reshape to "
    "(batch, length, d_model), (batch, heads, length, head_dim) needs transpose(1, 2).",
    "heads_split": "heads that are split without a transpose: view(batch, length, heads, head_dim) "
    "and then transpose(1, 2), not view(batch, heads, length, head_dim).",
    "only_itself": "a layer in which each token sees itself and nobody else.",
    "no_causal_mask": "a layer without a causal mask: it treats later tokens as it does earlier "
    "ones.",
    "causal_inverted": "a causal mask that is inverted: the future is allowed and the past hidden. "
    "In scaled_dot_product_attention a boolean mask's True means may attend; in "
    "nn.MultiheadAttention it means blocked.",
    "causal_too_wide": "a causal mask whose diagonal is off: it lets tokens see a little of the "
    "future. Blocked is torch.triu(..., diagonal=1).",
    "causal_strict": "a causal mask that hides a token from itself: the first one has nothing to "
    "attend to. Blocked is torch.triu(..., diagonal=1), not diagonal=0.",
    "causal_late": "a causal mask that is applied after the softmax: the future still stands in "
    "the denominator.",
    "causal_weak": "a causal mask that only lowers the scores, such as by -10: use -inf.",
    "softmax_axis": "a softmax over the queries: it must go over the keys, dim=-1.",
    "mask_inverted": "a mask that is read the other way round: what it allows is blocked. Is True "
    "'may attend' or 'blocked'?",
    "mask_transposed": "a mask that is transposed: its rows are queries, its columns keys.",
    "mask_ignored": "a mask that is taken and never used: the output is the same without it.",
    "mask_late": "a mask that is applied after the softmax: what it hides still stands in the "
    "denominator.",
    "mask_weak": "a mask that only lowers the scores, such as by -10: use -inf.",
    "padding_ignored": "a padding mask that is taken and never used: the output is the same "
    "without it.",
    "padding_inverted": "a padding mask that is read the other way round: it hides what is real.",
    "finite_fill": "a large negative number in place of -inf: a row in which all is blocked shares "
    "its weight evenly among all tokens.",
    "aligned_to_start": "a causal mask that is aligned to the start: with a cache, the queries are "
    "the last positions, and is_causal=True of scaled_dot_product_attention takes them for the "
    "first.",
    "scores_returned": "a layer that returns its scores instead of its weights.",
}


def name_mistakes(of: Measurements, failed: set[str], has_positions: bool) -> dict[str, str]:
    """Return the names that fit, each with a sentence; ``failed`` are the tests that did."""
    found = {path: set(_on_path(of, path, failed, has_positions)) for path in of.paths}
    names: dict[str, str] = {}
    for path, keys in found.items():
        for key in sorted(keys):
            if all(key in others for others in found.values()):
                names[key] = SENTENCES[key]
            elif key in DROPPED and path is not None:
                names["dropped_on_one_path"] = f"a mask that is dropped {WHEN[path]}."
            elif path is not None:
                names[key] = f"{SENTENCES[key]} Only {WHEN[path]}."
    return names


def _on_path(of: Measurements, path: Path, failed: set[str], has_positions: bool) -> Iterator[str]:
    if of.tables["same input twice", path].any() and not of.tables["broken", path].any():
        yield "random"
        return
    yield from _shapes(of, path, failed)
    yield from _causal(of, path, failed, has_positions)
    if "mask" in failed:
        yield from _mask(of, path)
    if "padding" in failed and of.layer.padding_argument is not None:
        yield from (
            f"padding_{name}"
            for name in ("ignored", "inverted")
            if of.tables[f"padding {name}", path]
        )
    if "more keys than queries" in failed:
        moved = of.tables.get(("more keys than queries", path))
        if moved is not None and torch.equal(moved, torch.ones_like(moved).tril()):
            yield "aligned_to_start"
    if "empty rows" in failed and "mask" not in failed and of.tables["shares evenly", path]:
        yield "finite_fill"
    if "weights" in failed and path == of.paths[-1]:
        weights = of.tables["weights", "found"]
        if (weights < -of.tolerance).any():
            yield "scores_returned"
        elif _sums_to_one(weights.sum(dim=-2)) and not _sums_to_one(weights.sum(dim=-1)):
            yield "softmax_axis"


def _shapes(of: Measurements, path: Path, failed: set[str]) -> Iterator[str]:
    moved = of.tables["bare", path]
    if not moved.any():
        if not of.who_moves(lambda x: of.output(x, path, causal=False)).any():
            yield "ignores_input"
        return
    lonely = _alike(moved, torch.zeros_like(moved))
    if lonely and "batch independence" in failed:
        batch = of.tables["batch independence", path]
        if any(_alike(batch, table) for table in _triangles(batch)):
            yield "batch_and_length"
        return
    heads = [h for h in range(2, of.d_model + 1) if of.d_model % h == 0]
    if "equal tokens" in failed:
        output = of.tables["outputs of equal tokens", path]
        alike = ~of.differs(output[:, None], output)  # (length, length)
        if any(_joins_equal(alike, h) for h in heads):
            yield "heads_joined"
            return
        if not of.is_causal and any(_splits_equal(alike, h) for h in heads):
            yield "heads_split"
            return
    known = of.tables.get(("outputs of equal tokens", path))
    if known is not None and not moved.all() and failed & SHAPE_TESTS:
        length = min(24, len(known))  # long enough for many heads, and the layer takes it
        long = of.who_moves(lambda x: of.output(x, path), length)
        splits = [split for h in heads for split in _split_tables(length, h, of.is_causal)]
        lonely = _alike(long, torch.zeros_like(long))
        if not lonely and any(_alike(long, table) for table in splits):
            yield "heads_split"
    if lonely:
        yield "only_itself"


def _joins_equal(alike: torch.Tensor, heads: int) -> bool:
    """Whether those of the equal tokens are alike that come from the same heads, falsely joined."""
    length = len(alike)
    rows = torch.arange(length * heads).view(length, heads) // length  # the heads in each output
    wanted = (rows[:, None] == rows).all(dim=-1)
    some = wanted.sum() > length and not wanted.all()
    return bool(some and torch.equal(alike, wanted))


def _splits_equal(alike: torch.Tensor, heads: int) -> bool:
    place = torch.arange(len(alike)) % heads
    return len(alike) % heads == 0 and torch.equal(alike, place[:, None] == place)


def _split_tables(length: int, heads: int, is_causal: bool) -> Iterator[torch.Tensor]:
    """Who moves whom when (length, heads) is cut into heads as (heads, length), False joins too.

    Row r of the cut holds a part of token r // heads, and belongs to head r // length.
    """
    row = torch.arange(length * heads)
    sees = row[:, None] // length == row // length
    if is_causal:
        sees &= row[:, None] >= row
    parts = sees.view(length * heads, length, heads).any(dim=-1)  # (rows, tokens)
    table = parts.view(length, heads, length).any(dim=1)  # joined as it was cut
    if not table.all():
        yield table
    table = parts.view(heads, length, length).any(dim=0)  # joined rightly
    if is_causal and not table.all():
        yield table


def _causal(of: Measurements, path: Path, failed: set[str], has_positions: bool) -> Iterator[str]:
    moved, size = of.tables["bare", path], of.length
    if not of.is_causal or not failed & {"leak test", "same input twice"}:
        return
    everything = torch.ones(size, size, dtype=torch.bool)
    if _alike(moved, everything.tril()) and not moved[0, 0] and not moved[1, 1]:
        yield "causal_strict"
    if _alike(moved, everything.triu()) and "leak test" in failed:
        yield "causal_inverted"
    if any(_alike(moved, everything.tril(k)) for k in range(1, size - 1)):
        yield "causal_too_wide"
    changes = of.changes(lambda x: of.output(x, path))
    if of.tolerance < changes.triu(1).max() < SMALL * changes.tril(-1).max():
        yield "causal_weak"
        return
    if has_positions or not _alike(moved, everything):
        return
    if ("outputs of equal tokens", path) not in of.tables:
        return
    output = of.tables["outputs of equal tokens", path].double()
    steps = output[1:] - output[:-1]  # (length - 1, d_model)
    if (steps.abs() > 10 * of.tolerance).any():
        left = torch.arange(len(steps), 0, -1)[:, None]  # queries from token i on
        if _constant(steps):
            yield "causal_late"
        elif _constant(steps * left.to(steps)):
            yield "softmax_axis"
    elif _is_equivariant(of, path):
        yield "no_causal_mask"


def _mask(of: Measurements, path: Path) -> Iterator[str]:
    moved, given = of.tables["mask", path], of.tables["mask", "given"]
    hidden = of.meant() if of.layer.causal_argument is None else torch.ones_like(given)
    if _alike(moved, of.tables["mask", "allowed"]):
        return
    if _alike(moved, ~given & hidden):
        yield "mask_inverted"
    if _alike(moved, given.T & hidden):
        yield "mask_transposed"
    x, mask = of.draw(), of.to_device(given)
    causal = of.layer.causal_argument is None and of.is_causal
    changes = of.changes(lambda x: of.output(x, path, causal=causal, mask=mask))
    own = torch.eye(of.length, dtype=torch.bool)
    if of.tolerance < changes[~given].max() < SMALL * changes[given & ~own].max():
        yield "mask_weak"
        return
    if not _alike(moved, hidden):
        return
    plain, masked = (of.output(x, path, causal=causal, mask=m) for m in (None, mask))
    if not of.differs(masked, plain).any():
        yield "mask_ignored"
        return
    equal = x[:, :1].expand_as(x)
    plain, masked = (
        of.output(equal, path, causal=causal, mask=m)[0].double().cpu() for m in (None, mask)
    )
    missing = (~given & hidden).sum(dim=-1) / hidden.sum(dim=-1)  # the share that is hidden
    lost = (plain - masked)[missing > 0] / missing[missing > 0].to(plain)[:, None]
    if (lost.abs() > 10 * of.tolerance).any() and _constant(lost):
        yield "mask_late"


def _alike(table: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tables are equal but for the diagonal: an output may move with its own token."""
    own = torch.eye(len(table), dtype=torch.bool)
    return torch.equal(table | own, other | own)


def _triangles(table: torch.Tensor) -> tuple[torch.Tensor, ...]:
    everything = torch.ones_like(table)
    return everything, everything.tril(), everything.triu()


def _constant(rows: torch.Tensor) -> bool:
    """Whether all rows are the same, within a hundredth of the largest number."""
    return bool((rows - rows[0]).abs().max() < 0.01 * rows.abs().max())


def _sums_to_one(sums: torch.Tensor) -> bool:
    return bool(((sums - 1).abs() < 1e-3).all())


def _is_equivariant(of: Measurements, path: Path) -> bool:
    x, order = of.draw(), torch.randperm(of.length, generator=of.generator)
    return not of.differs(of.output(x[:, order], path), of.output(x, path)[:, order]).any()
