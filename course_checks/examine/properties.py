"""The tests: each measures one property of a layer, and says in words and a picture what it saw."""

from dataclasses import replace

import torch
from torch import nn

from course_checks.examine.calling import modules_of
from course_checks.examine.measuring import BATCH, WIDE, Measurements
from course_checks.examine.report import (
    FAILED,
    IF_POSITIONS,
    MUST_NOT,
    NAN,
    PASSED,
    STILL,
    WARNING,
    Finding,
    Path,
    influence,
    not_applicable,
    on_each_path,
    only_on,
    picture,
    same,
    separate,
)
from course_checks.examine.sharing import COPIES, SINK, levels_off


def repeats(of: Measurements) -> Finding:
    test, x = "same input twice", of.draw()
    tables = on_each_path(of, lambda path: of.differs(of.output(x, path), of.output(x, path)))
    changed = of.layer.changed_input
    for path in of.paths:
        first, second = (_with_fixed_numbers(of, x, path) for _ in range(2))
        of.tables["drawn", path] = tables[path].any() & ~of.differs(first, second).any()
    is_random = any(of.tables["drawn", path] for path in of.paths)
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
    finding = same(test, of, tables, words)
    if finding.status == PASSED and changed is not None and changed.any():
        of.tables["changed input", "found"] = changed
        text = (
            "The layer changes its input: the tensor that it was given is another one afterwards."
        )
        meanings = {STILL: "the same", MUST_NOT: "changed"}
        drawn = picture(2 * changed.int(), "sequence", "token", meanings)
        finding = Finding(test, FAILED, text, drawn)
    for path in of.paths:
        of.tables["broken", path] = ~of.output(x, path).isfinite().all(dim=-1).cpu()
    bad = [path for path in of.paths if of.tables["broken", path].any()]
    if not bad:
        return finding
    broken = of.tables["broken", bad[0]]
    text = f"Output {broken.nonzero()[0, 1]} is nan or infinite.{only_on(of, bad)}"
    meanings = {STILL: "a number", NAN: "nan or infinite"}
    return Finding(test, FAILED, text, picture(4 * broken.int(), "sequence", "token", meanings))


def _with_fixed_numbers(of: Measurements, x: torch.Tensor, path: Path) -> torch.Tensor:
    torch.manual_seed(0)  # the caller's random numbers are put back at the end
    return of.output(x, path)


def influence_without_mask(of: Measurements) -> Finding:
    """The leak test of a causal layer, and its other side: what may be seen is seen.

    An output must depend on its own token, and on one other that it may see.
    """
    meant = of.meant()
    tables = on_each_path(of, lambda path: of.who_moves(lambda x: of.output(x, path)))
    of.tables.update({("bare", path): table for path, table in tables.items()})
    own = torch.eye(of.length, dtype=torch.bool)
    must = own.clone()
    for table in tables.values():
        lonely = ~(table & meant & ~own).any(dim=-1, keepdim=True)
        must |= lonely & meant
    whom = "an earlier one" if of.is_causal else "at least one other"
    fine = f"Each output depends on its own token and on {whom}"
    words = (
        fine + (", and on none behind it." if of.is_causal else "."),
        "Changing token {column} changes output {row}: position {row} sees the future.",
        "Changing token {column} does not change output {row}, which should depend on its own "
        f"token and on {whom}.",
    )
    test = "leak test" if of.is_causal else "other tokens"
    return influence(test, of, tables, meant, must, words)


def equivariance(of: Measurements, has_positions: bool) -> Finding:
    test = "equivariance"
    if has_positions:
        return not_applicable(test, "The layer is said to know positions, so order counts.")
    if of.is_causal and of.layer.causal_argument is None:
        return not_applicable(test, "A causal mask knows an order, so order counts.")
    x, order = of.draw(), torch.randperm(of.length, generator=of.generator)

    def measure(path):
        shuffled = of.output(x[:, order], path, causal=False)
        return of.differs(shuffled, of.output(x, path, causal=False)[:, order])

    words = (
        "With the tokens in another order, the outputs come in that order and are the same.",
        "With the tokens in another order, output {column} is another one: the layer treats "
        f"places differently. {IF_POSITIONS}",
    )
    return same(test, of, on_each_path(of, measure), words)


def equal_tokens(of: Measurements, has_positions: bool) -> Finding:
    test = "equal tokens"
    if has_positions:
        return not_applicable(
            test, "The layer is said to know positions, which may tell them apart."
        )
    for length in (48, 24, 12, of.length):
        one = of.draw(1)
        x = one.repeat(1, length, 1)

        def measure(path, x=x, one=one, length=length):
            output = of.output(x, path)[0].cpu()  # (length, d_model)
            of.tables["outputs of equal tokens", path] = output
            of.tables["equal token", path] = one
            finite = output.isfinite().all(dim=-1)  # nan is told by the first test
            first = output[finite][:1] if finite.any() else output[:1]
            return (of.differs(output, first) & finite).view(-1, min(12, length))

        try:
            tables = on_each_path(of, measure)
        except Exception:  # a layer may refuse sequences that are too long for it
            continue
        nan = any(of.tables["broken", path].any() for path in of.paths)
        words = (
            f"{length} equal tokens get equal outputs{', but for nan' if nan else ''}: an average "
            "of equal values is that value.",
            f"{length} equal tokens get different outputs. An average of equal values is that "
            f"value, whatever the weights. {IF_POSITIONS}",
        )
        axes = ("outputs, row by row", "output, compared with the first one")
        finding = same(test, of, tables, words, axes)
        if finding.status == FAILED and length >= max(COPIES) and _is_sink(of):
            text = f"{length} equal tokens get different outputs, in a causal layer. {SINK}"
            return replace(finding, status=WARNING, words=text)
        return finding
    return not_applicable(test, "The layer refuses all other lengths.")


def _is_sink(of: Measurements) -> bool:
    """Whether nothing leaks, and output i is what a part of the weight leaves of the value."""
    places = torch.tensor(COPIES) - 1
    return of.is_causal and not any(
        (of.tables["bare", path] & ~of.meant()).any()
        or not levels_off(of, path, of.tables["outputs of equal tokens", path][places])
        for path in of.paths
    )


def batch(of: Measurements) -> Finding:
    test = "batch independence"
    if not of.layer.batched:
        return not_applicable(test, "The layer takes one sequence at a time.")
    tables = on_each_path(of, lambda path: of.which_sequence_moves(lambda x: of.output(x, path)))
    own = torch.eye(BATCH, dtype=torch.bool)
    words = (
        "Changing a sequence changes no output of another one in the batch.",
        "Changing sequence {column} changes outputs of sequence {row}: the batch is mixed.",
        "Changing sequence {column} does not change its own outputs.",
    )
    return influence(test, of, tables, own, own, words, ("sequence", "changed sequence"))


NO_WEIGHTS_ASKED = (
    "No argument is known that asks for the weights. If one does, pass its name as "
    "weights_argument."
)


def both_paths(of: Measurements) -> Finding:
    test = "both paths"
    if of.layer.weights_argument is None:
        return not_applicable(test, NO_WEIGHTS_ASKED)
    x = of.draw()
    given: list[dict] = [{}]
    if of.layer.mask_argument is not None:
        given.append({"mask": of.to_device(of.draw_mask() | of.meant())})
    table = torch.stack(
        [of.differs(of.output(x, True, **one), of.output(x, False, **one)) for one in given]
    ).any(dim=0)
    words = (
        "The output is the same with weights and without.",
        "Asking for the weights changes output {column}.",
    )
    return same(test, of, {None: table}, words)


def values_apart(of: Measurements) -> Finding:
    test = "values apart"
    x = of.draw_near()

    def measure(path):
        return of.who_moves(lambda values: of.output(x, path, keys=x, values=values))

    words = (
        "With queries and keys left alone, changing a value changes the outputs that see it.",
        "Changing value {column} changes output {row}, which must not see it.",
        "With queries and keys left alone, changing value {column} does not change output {row}.",
    )
    axes = ("output", "changed value")
    must = of.meant() & of.seen()
    return influence(test, of, on_each_path(of, measure), of.meant(), must, words, axes)


def parameters(of: Measurements) -> Finding:
    """Parameters that no output is computed from, and modules that stand in several places."""
    test = "parameters"
    modules = modules_of(of.layer.layer)
    named = {
        name: parameter
        for module in modules
        for name, parameter in module.named_parameters()
        if parameter.requires_grad
    }
    try:
        with torch.enable_grad():
            output = of.output(of.draw(), of.paths[0])
            grads = torch.autograd.grad(output.sum(), list(named.values()), allow_unused=True)
    except Exception:  # no parameters, a layer that takes none, or one that works in place
        return not_applicable(test, "No gradients of parameters can be taken.")
    unused = [name for name, grad in zip(named, grads, strict=True) if grad is None]
    text = f"Without masks no output is computed from {', '.join(unused)}. " if unused else ""
    for module in modules:
        places: dict[nn.Module, list[str]] = {}
        for name, part in module.named_modules(remove_duplicate=False):
            if name.rpartition(".")[2].isdigit() and any(True for _ in part.parameters()):
                places.setdefault(part, []).append(name)
        for names in (names for names in places.values() if len(names) > 1):
            text += f"{', '.join(names)} are one and the same module, with the same weights. "
    if text:
        return Finding(test, WARNING, text + "Where that is not meant, it is a mistake.")
    return Finding(test, PASSED, "Outputs are computed from every parameter.")


def queries_apart(of: Measurements) -> Finding:
    test = "queries apart"
    x = WIDE * of.draw()

    def measure(path):
        return of.who_moves(lambda query: of.output(WIDE * query, path, keys=x))

    own = torch.eye(of.length, dtype=torch.bool)
    words = (
        "With the keys left alone, changing a query changes its own output and no other.",
        "Changing query {column} alone changes output {row}: queries take from each other.",
        "Changing query {column} does not change its output.",
    )
    must = own.clone()
    must[0, 0] = False  # the first query of a causal layer has one key: nothing to choose
    axes = ("output", "changed query")

    def judge():
        return influence(test, of, on_each_path(of, measure), own, must, words, axes)

    return separate(of, test, judge)


def more_keys(of: Measurements, has_positions: bool) -> Finding:
    test = "more keys than queries"
    if has_positions:
        return not_applicable(test, "The layer is said to know positions, and these are left open.")
    query = of.draw()[:, -2:]

    def measure(path):
        return of.who_moves(lambda keys: of.output(query, path, keys=keys))

    meant = of.meant()[-2:]
    hidden = "The last query is the last position, so " if of.is_causal else ""
    words = (
        f"Two queries and {of.length} keys: each query sees the keys that it may.",
        f"Two queries, {of.length} keys: changing key {{column}} changes output {{row}}, which "
        "must not see it.",
        f"Two queries, {of.length} keys: changing key {{column}} does not change output {{row}}. "
        f"{hidden}query {{row}} may see it.",
    )
    axes = ("output of a query", "changed key")

    def judge():
        must = meant & of.seen()[-2:]
        return influence(test, of, on_each_path(of, measure), meant, must, words, axes)

    return separate(of, test, judge)
