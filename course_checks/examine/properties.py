"""The tests: each measures one property of a layer, and says in words and a picture what it saw."""

from dataclasses import replace

import torch
from torch import nn

from course_checks.examine.calling import modules_of, parameters_in
from course_checks.examine.measuring import BATCH, WIDE, Probe
from course_checks.examine.report import (
    FAILED,
    IF_POSITIONS,
    MUST_NOT,
    NAN,
    PASSED,
    STILL,
    WARNING,
    Finding,
    influence,
    not_applicable,
    on_each_path,
    only_on,
    picture,
    same,
    separate,
)
from course_checks.examine.sharing import COPIES, SINK, levels_off


def repeats(probe: Probe) -> Finding:
    test, x = "same input twice", probe.draw()
    tables = on_each_path(probe, lambda p: probe.differs(probe.output(x, p), probe.output(x, p)))
    changed = probe.layer.changed_input
    for path in probe.paths:
        outputs = []
        for _ in "ab":
            torch.manual_seed(0)  # the caller's random numbers are put back at the end
            outputs.append(probe.output(x, path))
        probe.tables["drawn", path] = tables[path].any() & ~probe.differs(*outputs).any()
    is_random = any(probe.tables["drawn", path] for path in probe.paths)
    words = (
        "The same input gave the same output twice, and no nan.",
        "The same input gave two different outputs, in eval mode. "
        + (
            "With the same random numbers they are the same."
            if is_random
            else "So it does with the same random numbers: the layer remembers something from "
            "call to call, such as a cache, or it draws from a generator of its own."
        ),
    )
    finding = same(test, probe, tables, words)
    if finding.status == PASSED and changed is not None and changed.any():
        probe.tables["changed input", "where"] = changed
        text = "The layer changes its input: the tensor that it was given is another afterwards."
        meanings = {STILL: "the same", MUST_NOT: "changed"}
        drawn = picture(2 * changed.int(), "sequence", "token", meanings)
        finding = Finding(test, FAILED, text, drawn)
    for path in probe.paths:
        probe.tables["broken", path] = ~probe.output(x, path).isfinite().all(dim=-1).cpu()
    bad = [path for path in probe.paths if probe.tables["broken", path].any()]
    if not bad:
        return finding
    broken = probe.tables["broken", bad[0]]
    text = f"Output {broken.nonzero()[0, 1]} is nan or infinite.{only_on(probe, bad)}"
    meanings = {STILL: "a number", NAN: "nan or infinite"}
    return Finding(test, FAILED, text, picture(4 * broken.int(), "sequence", "token", meanings))


def without_mask(probe: Probe) -> Finding:
    """The leak test of a causal layer, and its other side: what may be seen is seen.

    An output must depend on its own token, and on one other that it may see.
    """
    meant = probe.meant()
    tables = on_each_path(probe, lambda path: probe.who_moves(lambda x: probe.output(x, path)))
    probe.tables.update({("bare", path): table for path, table in tables.items()})
    must = probe.own
    for table in tables.values():
        must |= meant & ~(table & meant & ~probe.own).any(dim=-1, keepdim=True)  # who sees nobody
    whom = "an earlier one" if probe.is_causal else "at least one other"
    fine = f"Each output depends on its own token and on {whom}"
    words = (
        fine + (", and on none behind it." if probe.is_causal else "."),
        "Changing token {column} changes output {row}: position {row} sees the future.",
        "Changing token {column} does not change output {row}, which should depend on its own "
        f"token and on {whom}.",
    )
    test = "leak test" if probe.is_causal else "other tokens"
    finding = influence(test, probe, tables, meant, must, words)
    block = _block_of(probe)
    if finding.status == FAILED and probe.is_causal and block:
        text = (
            f"{finding.words} Tokens see the blocks of {block} before theirs and all of their own: "
            "where that is meant, pass is_causal=False and has_positions=True."
        )
        return replace(finding, words=text)
    return finding


def _block_of(probe: Probe) -> int:
    """How many tokens a block has, where each token sees its own block and those before; else 0."""
    place, seen = torch.arange(probe.length), probe.seen()
    for block in range(2, probe.length):
        if torch.equal(seen, place[:, None] // block >= place // block):
            return block
    return 0


def equivariance(probe: Probe, has_positions: bool) -> Finding:
    test = "equivariance"
    if has_positions:
        return not_applicable(test, "The layer is said to know positions, so order counts.")
    if probe.is_causal and probe.layer.causal_argument is None:
        return not_applicable(test, "A causal mask knows an order, so order counts.")
    x, order = probe.draw(), torch.randperm(probe.length, generator=probe.generator)
    block = 0 if probe.is_causal else _block_of(probe)
    if block:  # shuffled inside of the blocks
        order = order[torch.argsort(order // block, stable=True)]

    def measure(path):
        shuffled = probe.output(x[:, order], path, causal=False)
        return probe.differs(shuffled, probe.output(x, path, causal=False)[:, order])

    words = (
        "With the tokens in another order, the outputs come in that order and are the same.",
        "With the tokens in another order, output {column} is another one: the layer treats "
        f"places differently. {IF_POSITIONS}",
    )
    finding = same(test, probe, on_each_path(probe, measure), words)
    if block and finding.status == PASSED:
        text = (
            f"Tokens see the blocks of {block} before theirs and all of their own, and no other "
            "order counts. Where that is meant, pass has_positions=True; otherwise it is a mistake."
        )
        return replace(finding, status=WARNING, words=text)
    return finding


def equal_tokens(probe: Probe, has_positions: bool) -> Finding:
    test = "equal tokens"
    if has_positions:
        return not_applicable(test, "The layer is said to know positions, which tell them apart.")
    for length in (48, 24, 12, probe.length):
        token = probe.draw(1)
        x = token.repeat(1, length, 1)

        def measure(path, x=x, token=token, length=length):
            output = probe.output(x, path)[0].cpu()  # (length, d_model)
            probe.tables["outputs of equal tokens", path] = output
            probe.tables["equal token", path] = token
            finite = output.isfinite().all(dim=-1)  # nan is told by the first test
            first = output[finite][:1] if finite.any() else output[:1]
            return (probe.differs(output, first) & finite).view(-1, min(12, length))

        try:
            tables = on_each_path(probe, measure)
        except Exception:  # a layer may refuse sequences that are too long for it
            continue
        nan = any(probe.tables["broken", path].any() for path in probe.paths)
        words = (
            f"{length} equal tokens get equal outputs{', but for nan' if nan else ''}: an average "
            "of equal values is that value.",
            f"{length} equal tokens get different outputs. An average of equal values is that "
            f"value, whatever the weights. {IF_POSITIONS}",
        )
        axes = ("outputs, row by row", "output, compared with the first one")
        finding = same(test, probe, tables, words, axes)
        if finding.status == FAILED and length >= max(COPIES) and _is_sink(probe):
            text = f"{length} equal tokens get different outputs, in a causal layer. {SINK}"
            return replace(finding, status=WARNING, words=text)
        return finding
    return not_applicable(test, "The layer refuses all other lengths.")


def _is_sink(probe: Probe) -> bool:
    """Whether nothing leaks, and output i is what a part of the weight leaves of the value."""
    places = torch.tensor(COPIES) - 1
    return probe.is_causal and not any(
        (probe.tables["bare", path] & ~probe.meant()).any()
        or not levels_off(probe, path, probe.tables["outputs of equal tokens", path][places])
        for path in probe.paths
    )


def batch(probe: Probe) -> Finding:
    test = "batch independence"
    if not probe.layer.batched:
        return not_applicable(test, "The layer takes one sequence at a time.")
    tables = on_each_path(probe, lambda p: probe.which_sequence_moves(lambda x: probe.output(x, p)))
    own = torch.eye(BATCH, dtype=torch.bool)
    words = (
        "Changing a sequence changes no output of another one in the batch.",
        "Changing sequence {column} changes outputs of sequence {row}: the batch is mixed.",
        "Changing sequence {column} does not change its own outputs.",
    )
    return influence(test, probe, tables, own, own, words, ("sequence", "changed sequence"))


def both_paths(probe: Probe) -> Finding:
    test = "both paths"
    if probe.layer.weights_argument is None:
        text = "No argument is known that asks for the weights. If one does, pass its name as "
        return not_applicable(test, f"{text}weights_argument.")
    x, table = probe.draw(), torch.zeros(BATCH, probe.length, dtype=torch.bool)
    mask = (probe.draw_mask() | probe.meant()).to(probe.device)
    for given in ({}, {"mask": mask}) if probe.layer.mask_argument is not None else ({},):
        table |= probe.differs(*(probe.output(x, path, **given) for path in (True, False)))
    words = (
        "The output is the same with weights and without.",
        "Asking for the weights changes output {column}.",
    )
    return same(test, probe, {None: table}, words)


def values_apart(probe: Probe) -> Finding:
    test = "values apart"
    x = probe.draw_near()

    def measure(path):
        return probe.who_moves(lambda values: probe.output(x, path, keys=x, values=values))

    words = (
        "With queries and keys left alone, changing a value changes the outputs that see it.",
        "Changing value {column} changes output {row}, which must not see it.",
        "With queries and keys left alone, changing value {column} does not change output {row}.",
    )
    axes = ("output", "changed value")
    must = probe.meant() & probe.seen()
    return influence(test, probe, on_each_path(probe, measure), probe.meant(), must, words, axes)


def parameters(probe: Probe) -> Finding:
    """Parameters that no output is computed from, and modules that stand in several places."""
    test = "parameters"
    modules = modules_of(probe.layer.layer)
    named = {n: p for n, p in parameters_in(probe.layer.layer).items() if p.requires_grad}
    try:
        with torch.enable_grad():
            output = probe.output(probe.draw(), probe.paths[0])
            grads = torch.autograd.grad(output.sum(), list(named.values()), allow_unused=True)
    except Exception:  # no parameters, a layer that takes none, or one that works in place
        return not_applicable(test, "No gradients of parameters can be taken.")
    unused = [name for name, grad in zip(named, grads, strict=True) if grad is None]
    text = f"Without masks no output is computed from {', '.join(unused)}. " if unused else ""
    for module in modules:
        places: dict[nn.Module, list[str]] = {}
        for name, part in module.named_modules(remove_duplicate=False):
            if any(True for _ in part.parameters()):
                places.setdefault(part, []).append(name)
        for names in (names for names in places.values() if len(names) > 1):
            text += f"{', '.join(names)} are one and the same module, with the same weights. "
    if text:
        return Finding(test, WARNING, text + "Where that is not meant, it is a mistake.")
    return Finding(test, PASSED, "Outputs are computed from every parameter.")


def queries_apart(probe: Probe) -> Finding:
    test = "queries apart"
    x = WIDE * probe.draw()

    def measure(path):
        return probe.who_moves(lambda query: probe.output(WIDE * query, path, keys=x))

    own = probe.own
    words = (
        "With the keys left alone, changing a query changes its own output and no other.",
        "Changing query {column} alone changes output {row}: queries take from each other.",
        "Changing query {column} does not change its output.",
    )
    must = own.clone()
    must[0, 0] = False  # the first query of a causal layer has one key: nothing to choose
    axes = ("output", "changed query")

    def judge():
        return influence(test, probe, on_each_path(probe, measure), own, must, words, axes)

    return separate(probe, test, judge)


def more_keys(probe: Probe, has_positions: bool) -> Finding:
    test = "more keys than queries"
    if has_positions:
        return not_applicable(test, "The layer is said to know positions, and these are left open.")
    query = probe.draw()[:, -2:]

    def measure(path):
        return probe.who_moves(lambda keys: probe.output(query, path, keys=keys))

    meant = probe.meant()[-2:]
    hidden = "The last query is the last position, so " if probe.is_causal else ""
    words = (
        f"Two queries and {probe.length} keys: each query sees the keys that it may.",
        f"Two queries, {probe.length} keys: changing key {{column}} changes output {{row}}, which "
        "must not see it.",
        f"Two queries, {probe.length} keys: changing key {{column}} does not change output "
        f"{{row}}. {hidden}query {{row}} may see it.",
    )
    axes = ("output of a query", "changed key")

    def judge():
        must = meant & probe.seen()[-2:]
        return influence(test, probe, on_each_path(probe, measure), meant, must, words, axes)

    return separate(probe, test, judge)
