"""The tests that hand the layer a mask."""

from dataclasses import replace

import torch

from course_checks.examine.forms import ADDED, MaskForm, wrapper
from course_checks.examine.measuring import BATCH, LARGE, LOUD, Probe
from course_checks.examine.probing import HIDES, INVERTS, RUNS, WEAKENS
from course_checks.examine.report import (
    FAILED,
    IF_POSITIONS,
    NAN,
    PASSED,
    STILL,
    WARNING,
    Finding,
    influence,
    not_applicable,
    on_each_path,
    picture,
    same,
)

NO_SWITCH = (
    "No argument is known that switches a causal mask on. If one does, pass its name as "
    "causal_argument."
)
SOME_TOKENS = [[0, 2, 3, 5], [0, 1, 4, 5], [0, 1, 2, 3]]  # of each sequence; the rest is padding
FIRST_TOKENS = [[0, 1, 2, 3], [0, 1, 2], [0, 1]]  # where places count, padding comes last
NO_MASK = "It needs a mask, see the test called mask."


def masks(probe: Probe, causal: bool) -> Finding:
    """With ``causal``, the layer's causal argument is on while it is given a mask."""
    test = "mask and causal" if causal else "mask"
    layer = probe.layer
    if layer.mask_argument is None:
        text = layer.question or (
            "No argument of the layer has the name of a mask. If one takes a mask, pass its name "
            'and what True means in it, such as mask_argument="allowed", true_means="may attend" '
            '(or "blocked").'
        )
        if not layer.question and layer.padding_argument is not None:
            text = f"{layer.padding_argument} marks keys, the same for all queries: see padding."
        return not_applicable(test, NO_MASK if causal else text)
    if causal and layer.mask_replaces_causal:
        name = layer.mask_argument
        text = (
            f"Without a mask the layer sees the future: it is causal only by what {name} brings."
            if layer.mask_brings_causal
            else f"A mask given as {name} takes the place of the layer's causal mask, and the "
            "future is seen."
        )
        always = "Hide it in each mask that you give, as it was done here."
        return Finding(test, WARNING, f"{text} {always}")
    if causal and probe.layer.causal_argument is None:
        return not_applicable(test, NO_SWITCH)
    given = probe.draw_mask()
    hides_future = probe.is_causal and (causal or probe.layer.causal_argument is None)
    allowed = given & probe.meant() if hides_future else given

    mask = given.to(probe.device)

    def measure(path):
        return probe.who_moves(lambda x: probe.output(x, path, mask=mask, causal=causal))

    probe.tables[test, "given"] = given
    probe.tables[test, "allowed"] = allowed
    must = allowed & (probe.seen() | ~probe.meant())
    words = (
        "Each output depends on the tokens that the mask allows, and on no other."
        f"{_is_added(probe, layer.mask_argument, layer.mask_form)}",
        "The mask hides token {column} from position {row}, but changing it changes output {row}.",
        "The mask lets position {row} attend to token {column}, but changing it does not change "
        "output {row}.",
    )
    finding = influence(test, probe, on_each_path(probe, measure), allowed, must, words)
    probe.tables[test, "failed"] = torch.tensor(finding.status == FAILED)
    return finding


def both_masks(probe: Probe) -> Finding:
    """A mask for each query and a mask of keys, given at once: each has to go on hiding."""
    test = "mask and padding"
    given = probe.draw_mask()
    real = torch.arange(probe.length) != (given.sum(dim=0) == 2).nonzero()[0]  # two queries see it
    allowed = given & real
    if probe.is_causal and probe.layer.causal_argument is None:
        allowed &= probe.meant()

    def measure(path):
        both = {"mask": given.to(probe.device), "padding": real.to(probe.device).expand(BATCH, -1)}
        return probe.who_moves(lambda x: probe.output(x, path, causal=False, **both))

    allowed |= probe.own | ~allowed.any(dim=-1, keepdim=True)
    words = (
        "Given together, the mask and the padding mask hide what each of them hides.",
        "When both masks are given together, one of them hides token {column} from position "
        "{row}, but changing it changes output {row}.",
        "",
    )
    return influence(test, probe, on_each_path(probe, measure), allowed, allowed & False, words)


def _is_added(probe: Probe, argument: str, form: MaskForm) -> str:
    """Say that a mask is added to the scores, with a line of code that takes a boolean one."""
    if form.kind != ADDED:
        return ""
    code = wrapper(argument, form, probe.layer.num_inputs, probe.layer.order)
    return (
        f" Your mask is added to the scores: {argument} was given with 0 where attention is "
        f"allowed and -inf where it is blocked. For a boolean mask, True = may attend, put this "
        f"in the layer's place: {code}"
    )


def padding(probe: Probe, has_positions: bool) -> Finding:
    test = "padding"
    if probe.layer.padding_argument is None and probe.layer.mask_argument is None:
        return not_applicable(test, NO_MASK)
    x, added, argument = probe.draw(), "", probe.layer.padding_argument
    is_short = probe.takes(4) and probe.takes(3) and probe.takes(2)
    kept = FIRST_TOKENS if has_positions else SOME_TOKENS
    kept = kept if argument is not None else kept[:1] * BATCH  # (query_len, key_len) is for all
    real = torch.zeros(BATCH, probe.length, dtype=torch.bool)
    for row, tokens in zip(real, kept, strict=True):
        row[tokens] = True
    if argument is not None:
        added = _is_added(probe, argument, probe.layer.padding_form)
        given = {"padding": real.to(probe.device)}
    else:
        given = {"mask": real[0].expand(probe.length, -1).to(probe.device)}

    def measure(path, given=given):
        """With large tokens too, so that the rows of a softmax saturate."""
        table = torch.zeros(BATCH, 4, dtype=torch.bool)
        for size in (1.0,) if probe.is_coarse else (1.0, LARGE):
            room = probe.tolerance * (1 if size == 1.0 else LOUD)  # large numbers round more
            output = probe.output(size * x, path, **given)
            if not is_short:
                other = torch.where(real.to(probe.device)[..., None], x, probe.draw())
                other = probe.output(size * other, path, **given)
            for i, tokens in enumerate(kept):
                part = other[i : i + 1, tokens] if not is_short else None
                part = probe.output(size * x[i : i + 1, tokens], path) if part is None else part
                change = probe.change(output[i : i + 1, tokens], part)[0]
                table[i, : len(tokens)] |= change > room
        return table

    without = "without any" if is_short else "with other padding: the layer takes no other length"
    words = (
        f"Real tokens get the same outputs with hidden padding and {without}.{added}",
        "With padding that the mask hides, real token {column} gets another output than "
        f"{without}.{'' if has_positions else ' ' + IF_POSITIONS}",
    )
    finding = same(test, probe, on_each_path(probe, measure), words, ("sequence", "real token"))
    if finding.status == FAILED:
        inverse = {name: ~table for name, table in given.items()}
        for path in probe.paths:
            moved = probe.differs(probe.output(x, path, **given), probe.output(x, path))
            probe.tables["padding ignored", path] = ~moved.any()
            probe.tables["padding on queries", path] = moved.any() & ~(moved & real).any()
            probe.tables["padding inverted", path] = ~measure(path, inverse).any()
    return finding


def memory_masks(probe: Probe) -> Finding:
    """What the masks of a decoder layer do to its memory, as it was found by trying."""
    effects = probe.layer.memory_masks
    words = {
        HIDES: "hides tokens of the memory from the outputs, and no others.",
        INVERTS: "hides the tokens of the memory that it should allow.",
        WEAKENS: "only lowers the scores of the tokens of the memory that it should hide.",
        RUNS: "hides no token of the memory in any form that was tried.",
    }
    text = " ".join(f"{name} {words[effect]}" for name, effect in effects.items())
    status = PASSED if {*effects.values()} == {HIDES} else FAILED
    return Finding("masks of the memory", status, text)


def empty_rows(probe: Probe) -> Finding:
    test = "empty rows"
    if probe.layer.mask_argument is None:
        return not_applicable(test, NO_MASK)
    if probe.tables.get(("mask", "failed"), True):
        return not_applicable(test, "The mask does not do what it says, see the test called mask.")
    row = 2
    given = torch.ones(probe.length, probe.length, dtype=torch.bool)
    given[row] = False
    mask, x = given.to(probe.device), probe.draw()
    tables = on_each_path(probe, lambda p: probe.who_moves(lambda x: probe.output(x, p, mask=mask)))
    outputs = [probe.output(x, path, mask=mask) for path in probe.paths]
    broken = (~torch.stack(outputs).isfinite()).any(dim=-1).flatten(0, 1).any(dim=0).cpu()
    may = torch.ones_like(given)
    may[row] = torch.arange(probe.length) == row
    words = (
        f"Position {row} may attend to nothing, and no other token changes its output.",
        "The mask hides every token from position {row}, but changing token {column} changes "
        "its output. A fill by a large negative number, such as -1e9, can do this: where all "
        "scores are filled alike, softmax shares the weight evenly among all tokens. That is "
        "harmless where such an output is never used; otherwise set it to 0.",
        "",
    )
    finding = influence(test, probe, tables, may, torch.zeros_like(may), words)
    if not broken.any():
        return replace(finding, status=WARNING) if finding.status == FAILED else finding
    cells = torch.zeros_like(given).int() + 4 * broken[:, None]
    drawn = picture(cells, "output", "token", {STILL: "a number", NAN: "nan or infinite"})
    others = broken.sum() > 1
    spread = ", and so are others, as in a stack of layers" if others else ""
    text = (
        f"Position {row} may attend to nothing, and its output is nan{spread}. That is loud, but "
        "one nan spoils a loss: give it no such row, or set its output to 0."
    )
    return Finding(test, WARNING, text, drawn)
