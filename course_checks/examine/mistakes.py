"""Which known mistake it is, told by the whole pattern of what was measured.

Each rule predicts a table, and names its mistake only where the layer shows exactly that table.
"""

from collections.abc import Callable, Iterator

import torch

from course_checks.examine import memory
from course_checks.examine.calling import parameters_in
from course_checks.examine.measuring import LARGE, LOUD, SMALL, WIDE, Probe, same_table
from course_checks.examine.report import Path

DROPPED = {"no_causal_mask", "mask_ignored", "padding_ignored"}
SHAPE_TESTS = {"other tokens", "leak test", "equivariance"}
WHEN = {True: "when the weights are returned", False: "when no weights are returned"}

SENTENCES = {
    "random": "random numbers in eval mode, as from dropout that is not switched off: pass "
    "training=self.training to F.dropout, and dropout_p=0.0 to "
    "scaled_dot_product_attention when it is False.",
    "changes_input": "a layer that changes the tensor it is given: write x = x + y in place of "
    "x += y, and clone what is changed in place.",
    "ignores_input": "a layer whose last weights are all zero: its output depends on no input.",
    "hides_everything": "a mask that hides everything: no output depends on any token, and no map "
    "is all zero. Does True mean the other thing in it? (A product with 0 would look the same.)",
    "batch_and_length": "a layer that takes the batch for the length: give it the other layout, "
    "or say batch_first the other way round.",
    "heads_joined": "heads that are joined without a transpose: the reshape to (batch, length, "
    "d_model) needs (batch, length, heads, head_dim) before it, which is transpose(1, 2) of "
    "(batch, heads, length, head_dim) and permute(1, 2, 0, 3) of (heads, batch, length, head_dim).",
    "heads_split": "heads that are split without a transpose: view(batch, length, heads, head_dim) "
    "and then transpose(1, 2), not view(batch, heads, length, head_dim).",
    "only_itself": "a layer in which each token sees itself and nobody else.",
    "no_causal_mask": "a layer without a causal mask: it treats later tokens as it does earlier "
    "ones. Where the mask is to be handed in, as to transformers' layers, pass a function that "
    "does, or true_means where it is added to the scores.",
    "causal_inverted": "a causal mask that is inverted: the future is allowed and the past hidden. "
    "In scaled_dot_product_attention a boolean mask's True means may attend; in "
    "nn.MultiheadAttention it means blocked.",
    "causal_too_wide": "a causal mask whose diagonal is off: it lets tokens see a little of the "
    "future. Blocked is torch.triu(..., diagonal=1).",
    "causal_strict": "a causal mask that hides a token from itself: the first one has nothing to "
    "attend to. Blocked is torch.triu(..., diagonal=1), not diagonal=0.",
    "causal_late": "a causal mask that is applied after the softmax: the future still stands in "
    "the denominator. Sharing out again what is left does not help where the future took all.",
    "causal_weak": "a causal mask that only lowers the scores, such as by -10: use -inf.",
    "softmax_axis": "a softmax over the queries: it must go over the keys, dim=-1.",
    "mask_inverted": "a mask that is read the other way round: what it allows is blocked. Is True "
    "'may attend' or 'blocked'?",
    "mask_transposed": "a mask that is transposed: its rows are queries, its columns keys.",
    "mask_ignored": "a mask that is taken and never used: the output is the same without it.",
    "mask_late": "a mask that is applied after the softmax: what it hides still stands in the "
    "denominator. Sharing out again what is left does not help where that took all.",
    "mask_weak": "a mask that only lowers the scores, such as by -10: use -inf.",
    "padding_ignored": "a padding mask that is taken and never used: the output is the same "
    "without it.",
    "padding_on_queries": "a padding mask that is put on the queries (or on the outputs) and not "
    "on the keys: it belongs to the last axis of the scores, mask[:, None, None, :].",
    "padding_inverted": "a padding mask that is read the other way round: it hides what is real.",
    "aligned_to_start": "a causal mask that is aligned to the start: with a cache, the queries are "
    "the last positions, and is_causal=True of scaled_dot_product_attention takes them for the "
    "first.",
    "memory_ignored": "a second input that is taken and never used: no output depends on it.",
    "causal_cross": "a causal mask on the attention to a memory, where every query may see the "
    "whole of it: the mask belongs to the attention among the tokens of x.",
    "queries_from_memory": "a layer whose queries come from its second input, and keys and values "
    "from the first: the queries of cross-attention come from x. Or the two are given the other "
    "way round.",
    "values_from_x": "values that come from x: in cross-attention keys and values both come from "
    "the memory.",
    "keys_from_x": "keys that come from x and values that come from the memory: in cross-attention "
    "both come from the memory.",
    "scores_returned": "a layer that returns its scores instead of its weights.",
}


def name_mistakes(probe: Probe, failed: set[str], has_positions: bool) -> dict[str, str]:
    """Return the names that fit, each with a sentence; ``failed`` are the tests that did."""
    by_path = {path: set(_on_path(probe, path, failed, has_positions)) for path in probe.paths}
    names: dict[str, str] = {}
    for path, keys in by_path.items():
        for key in sorted(keys):
            if all(key in others for others in by_path.values()):
                names[key] = SENTENCES[key]
            elif key in DROPPED and path is not None:
                names["dropped_on_one_path"] = f"a mask that is dropped {WHEN[path]}."
            elif path is not None:
                names[key] = f"{SENTENCES[key]} Only {WHEN[path]}."
    return names


def _on_path(probe: Probe, path: Path, failed: set[str], has_positions: bool) -> Iterator[str]:
    is_random = {path: probe.tables["same input twice", path].any() for path in probe.paths}
    if any(is_random.values()) and not probe.tables["broken", path].any():
        if is_random[path] and probe.tables["drawn", path]:
            yield "random"
        return
    if memory.TEST in failed:
        names = (*memory.ROLES, "softmax_axis")
        yield from (name for name in names if (memory.TEST, name) in probe.tables)
        read = probe.tables.get((memory.TEST, path))
        if read is not None and not read.any():
            yield "memory_ignored"
        elif read is not None and torch.equal(read, torch.ones_like(read).tril()):
            yield "causal_cross"
    if ("bare", path) not in probe.tables:
        return
    if "same input twice" in failed and ("changed input", "where") in probe.tables:
        yield "changes_input"
    yield from _shapes(probe, path, failed)
    yield from _causal(probe, path, failed, has_positions)
    if "mask" in failed:
        yield from _mask(probe, path)
    if "padding" in failed and probe.layer.padding_argument is not None:
        yield from (
            f"padding_{name.replace(' ', '_')}"
            for name in ("ignored", "on queries", "inverted")
            if probe.tables[f"padding {name}", path]
        )
    if "averages" in failed and probe.tables.get(("_sum_over_queries", path)):
        yield "softmax_axis"
    if "more keys than queries" in failed:
        moved = probe.tables.get(("more keys than queries", path))
        if moved is not None and torch.equal(moved, torch.ones_like(moved).tril()):
            yield "aligned_to_start" if probe.is_causal else "causal_cross"
    if "weights" in failed and path == probe.paths[-1]:
        weights = probe.tables["weights", "returned"]
        sums = weights.sum(dim=-1)
        is_fixed = sums.isfinite().all() and (sums - sums[:, :1]).abs().max() < 1e-3
        if (weights < -probe.tolerance).any() and not is_fixed:
            yield "scores_returned"


def _shapes(probe: Probe, path: Path, failed: set[str]) -> Iterator[str]:
    moved = probe.tables["bare", path]
    if not moved.any():
        is_open = probe.who_moves(lambda x: probe.output(x, path, causal=False)).any()
        is_nan = probe.tables["broken", path].all()
        parameters = parameters_in(probe.layer.layer).values()
        is_zero = any(p.dim() > 1 and not p.any() for p in parameters)
        if is_open or not is_nan and not is_zero:
            yield "hides_everything"
        elif not is_nan:
            yield "ignores_input"
        return
    lonely = same_table(moved, torch.zeros_like(moved))
    if lonely and "batch independence" in failed:
        batch = probe.tables["batch independence", path]
        full = torch.ones_like(batch)
        if any(same_table(batch, table) for table in (full, full.tril(), full.triu())):
            yield "batch_and_length"
        return
    heads = [h for h in range(2, probe.d_model + 1) if probe.d_model % h == 0]
    if "equal tokens" in failed:
        output = probe.tables["outputs of equal tokens", path]
        alike = ~probe.differs(output[:, None], output)  # (length, length)
        if any(_joins_equal(alike, h) for h in heads):
            yield "heads_joined"
            return
        place = torch.arange(len(alike))
        parts = ((place[:, None] - place) % h == 0 for h in heads if len(alike) % h == 0)
        if not probe.is_causal and any(torch.equal(alike, part) for part in parts):
            yield "heads_split"
            return
    known = probe.tables.get(("outputs of equal tokens", path))
    if known is not None and not moved.all() and failed & SHAPE_TESTS:
        length = min(24, len(known))  # long enough for many heads, and the layer takes it
        long = probe.who_moves(lambda x: probe.output(x, path), length)
        splits = [split for h in heads for split in _split_tables(length, h, probe.is_causal)]
        lonely = same_table(long, torch.zeros_like(long))
        if not lonely and any(same_table(long, table) for table in splits):
            yield "heads_split"
    if lonely:  # of small tokens too, where no score is large enough to take all
        small = probe.who_moves(lambda x: probe.output(0.1 * x, path))
        if same_table(small, torch.zeros_like(small)):
            yield "only_itself"


def _joins_equal(alike: torch.Tensor, heads: int) -> bool:
    """Whether those of the equal tokens are alike that come from the same heads, falsely joined."""
    length = len(alike)
    rows = torch.arange(length * heads).view(length, heads) // length  # the heads in each output
    wanted = (rows[:, None] == rows).all(dim=-1)
    some = wanted.sum() > length and not wanted.all()
    return bool(some and torch.equal(alike, wanted))


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


def _causal(probe: Probe, path: Path, failed: set[str], has_positions: bool) -> Iterator[str]:
    moved, size = probe.tables["bare", path], probe.length
    if not probe.is_causal or not failed & {"leak test", "same input twice"}:
        return
    everything = torch.ones(size, size, dtype=torch.bool)
    past = everything.tril()
    fills_first = torch.cat([everything[:1], past[1:]])  # by a large number, shared evenly
    is_strict = same_table(moved, past) and not moved[0, 0] or same_table(moved, fills_first)
    if is_strict and not moved[1, 1]:
        yield "causal_strict"
    if same_table(moved, everything.triu()) and "leak test" in failed:
        yield "causal_inverted"
    width = next((k for k in range(1, size - 1) if same_table(moved, everything.tril(k))), 0)
    if width and not has_positions and _knows_no_places(probe, path, width):
        yield "causal_too_wide"
    effect = _effect_on_scores(probe, lambda x: probe.output(x, path), ~past)
    if effect:
        yield f"causal_{effect}"
        return
    is_known = ("outputs of equal tokens", path) in probe.tables
    if has_positions or not is_known or not same_table(moved, everything):
        return
    output = probe.tables["outputs of equal tokens", path].double()
    if (probe.change(output[1:], output[:-1]) > 10 * probe.tolerance).any():
        length, alone = len(output), probe.output(probe.tables["equal token", path], path)
        alone = alone[0].double().cpu()
        token = torch.arange(length, dtype=torch.float64)
        if _shares_like(output, alone, (token + 1) / length):
            yield "causal_late"
        elif _shares_like(output, alone, (1 / (length - token)).cumsum(dim=0)):
            yield "softmax_axis"
    else:
        x, order = probe.draw(), torch.randperm(size, generator=probe.generator)
        shuffled = probe.output(x[:, order], path)
        if not probe.differs(shuffled, probe.output(x, path)[:, order]).any():
            yield "no_causal_mask"


def _mask(probe: Probe, path: Path) -> Iterator[str]:
    moved, given = probe.tables["mask", path], probe.tables["mask", "given"]
    if not moved.any() and probe.tables["bare", path].any():
        yield "hides_everything"
        return
    hidden = probe.meant() if probe.layer.causal_argument is None else torch.ones_like(given)
    if same_table(moved, probe.tables["mask", "allowed"]):
        return
    if same_table(moved, ~given & hidden):
        yield "mask_inverted"
    if same_table(moved, given.T & hidden):
        yield "mask_transposed"
    x, mask = probe.draw(), given.to(probe.device)
    causal = probe.layer.causal_argument is None and probe.is_causal
    effect = _effect_on_scores(
        probe, lambda x: probe.output(x, path, causal=causal, mask=mask), ~(given & hidden)
    )
    if effect:
        yield f"mask_{effect}"
        return
    if not same_table(moved, hidden):
        return
    plain, masked = (probe.output(x, path, causal=causal, mask=m) for m in (None, mask))
    if not probe.differs(masked, plain).any():
        yield "mask_ignored"
        return
    if probe.layer.mask_replaces_causal:
        return
    equal = x[:, :1].expand_as(x)
    masked = probe.output(equal, path, causal=causal, mask=mask)[0].double().cpu()
    alone = probe.output(equal[:, :1], path, causal=causal)[0].double().cpu()
    kept = (given & hidden).sum(dim=-1) / hidden.sum(dim=-1)  # the share that is not hidden
    if _shares_like(masked, alone, kept.double()):
        yield "mask_late"


def _knows_no_places(probe: Probe, path: Path, width: int) -> bool:
    """Whether output 1 is the same with the others that it sees in another order.

    That excludes a convolution that is padded on both sides, and positions that nobody told of.
    """
    x, others = probe.draw(), torch.tensor([0, *range(2, width + 2)])
    turned = x.clone()
    turned[:, others] = x[:, others.flip(0)]
    outputs, turned = probe.output(x, path), probe.output(turned, path)
    return not probe.differs(turned[:, 1], outputs[:, 1]).any()


def _effect_on_scores(probe: Probe, run: Callable, hidden: torch.Tensor) -> str | None:
    """Whether a mask that lets something through is weak, or late; None where it is neither.

    Past a weak mask, such as -10, hidden tokens take the weight where scores are large; what is
    added behind the softmax stays small. A late mask takes that weight away again: however loud
    the token is, what is left is the same.
    """
    shown = ~hidden & ~probe.own
    changes = probe.changes(lambda x: run(WIDE * x))
    loud, louder = probe.loud_changes(run), probe.loud_changes(run, size=10 * LOUD)
    if probe.is_coarse or not shown.any() or not loud[shown].isfinite().all():
        return None
    most, is_small = loud[hidden].max(), changes[hidden].max() < SMALL * changes[shown].max()
    if most > 0 and changes[hidden].max() <= probe.tolerance:
        return None if louder[hidden].max() > 3 * most else "late"
    large = probe.changes(lambda x: run(LARGE * x)) if is_small else changes
    is_weak = (0.1 * t[shown].max() < t[hidden].max() < torch.inf for t in (loud, large))
    return "weak" if is_small and any(is_weak) else None


def _shares_like(outputs: torch.Tensor, alone: torch.Tensor, shares: torch.Tensor) -> bool:
    """Whether output i is shares[i] of what comes out alone, and the rest of it is a constant.

    The constant is what the layer's last map adds; with a share of 1 nothing is left of it.
    """
    rest = 1 - shares[:, None]
    left = outputs - shares[:, None] * alone  # rest times the constant
    is_part = rest.flatten().abs() > 1e-6
    size = 0.01 * outputs.abs().max()
    if not is_part.any() or left[~is_part].abs().sum() > size * left.numel():
        return False
    constant = (left[is_part] / rest[is_part]).mean(dim=0)
    fits = (left - rest * constant).abs().max() < size
    return bool(fits and ((constant - alone).abs().max() > size))
