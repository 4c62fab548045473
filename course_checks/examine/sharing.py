"""Are the outputs averages, with weights that each query shares out among the keys?

``f`` is what comes out for a token that is alone: its value, mapped, whatever the weights are.
"""

import math

import torch

from course_checks.examine.measuring import LARGE, WIDE, Probe
from course_checks.examine.report import (
    FAILED,
    PASSED,
    WARNING,
    Finding,
    Path,
    not_applicable,
    only_on,
)

COPIES = (1, 2, 5, 12)
FEW_COPIES = (1, 2, 4, 6)  # for a layer that takes no more
SIZES = (0.1, 1.0, WIDE)
NOBODY = "No output depends on another token."
SINK = (
    "They level off as more come: a part of the weight goes elsewhere, as to a sink, an extra key "
    "(bias_kv, zero_attn) or softmax with 1 + in its denominator. Without one of these it is a "
    "mistake."
)
KEYS = (
    "The softmax belongs over the keys: dim=-1 of scores (..., query_len, key_len), in each head."
)


def averages(probe: Probe) -> Finding:
    """Equal values have to come out as that value, however many there are, for every query.

    Softmax over heads, over the batch or over all scores, sigmoid, relu and plain scores give
    another number of shares; softmax over the queries gives each key's shares away instead.
    """
    test = "averages"
    if not probe.interacts():
        return not_applicable(test, NOBODY)
    if not all(probe.takes(length) for length in FEW_COPIES):
        return not_applicable(test, f"The layer takes no other length than {probe.length} tokens.")
    if not all(probe.equal_are_equal(path) for path in probe.paths):
        return not_applicable(test, "Equal tokens get different outputs, so it cannot be told.")
    for judge in (_sum_over_queries, _copies, _growth, _unmapped):
        failed = {path: judge(probe, path) for path in probe.paths}
        bad = [path for path, (status, _) in failed.items() if status != PASSED]
        for path, (status, _) in failed.items():
            probe.tables[judge.__name__, path] = torch.tensor(status == FAILED)
        if bad:
            status, text = failed[bad[0]]
            return Finding(test, status, text + only_on(probe, bad))
    text = "One token alone and many equal ones get the same output, as an average has to give."
    if all(probe.tables["unmapped", path] for path in probe.paths):
        text += " No output leaves the range of the values."
    return Finding(test, PASSED, text)


def _copies(probe: Probe, path: Path) -> tuple[str, str]:
    """One token alone against n equal ones, as tokens and as keys of another query."""
    query, key = probe.draw(1), probe.draw(1)
    copies = COPIES if probe.takes(12) else FEW_COPIES
    runs = [lambda n: probe.output(key.repeat(1, n, 1), path)[:, -1]]
    if probe.layer.takes_keys and not probe.refuses_keys(path):
        runs.append(lambda n: probe.output(query, path, keys=key.repeat(1, n, 1))[:, 0])
    for run in runs:
        outputs = torch.stack([run(n) for n in copies])
        if not outputs.isfinite().all() or not probe.differs(outputs[1:], outputs[:1]).any():
            continue
        text = (
            "One token alone and several equal ones get different outputs, so the weights of a "
            "query do not sum to the same number. "
        )
        if levels_off(probe, path, outputs, copies):
            return WARNING, text + SINK
        return FAILED, f"{text}Is there a softmax, and over which axis? {KEYS}"
    return PASSED, ""


def levels_off(
    probe: Probe, path: Path, outputs: torch.Tensor, copies: tuple[int, ...] = COPIES
) -> bool:
    """Whether n equal tokens come closer and closer to a limit, but not as b + (f - b) / n does.

    That is what a softmax over all pairs at once gives. A norm behind the heads levels off too:
    then no output grows with the values.
    """
    outputs = outputs.double()
    between = list(zip(copies, copies[1:], strict=False))
    gaps = [after - before for before, after in zip(outputs, outputs[1:], strict=False)]
    steps = [gap.abs().max().item() / (n - m) for gap, (m, n) in zip(gaps, between, strict=True)]
    shares = [gap / (1 / m - 1 / n) for gap, (m, n) in zip(gaps, between, strict=True)]
    is_shared = (shares[0] - shares[1]).abs().max() < 0.01 * shares[0].abs().max()
    if not steps[2] < 0.6 * steps[1] or bool(is_shared):
        return False
    return probe.takes(1) and _growth_of_alone(probe, path, 1.0) > 5


def _sum_over_queries(probe: Probe, path: Path) -> tuple[str, str]:
    """Softmax over the queries shares out each key, so all outputs sum to what all values do."""
    if not probe.tables.get(("scores count", path), torch.tensor(True)):
        return PASSED, ""
    for x in (*(size * probe.draw() for size in SIZES), probe.draw_near()):
        alone = torch.cat([probe.output(x[:, j : j + 1], path) for j in range(x.shape[1])], dim=1)
        outputs = probe.output(x, path)
        if not outputs.isfinite().all():
            return PASSED, ""
        if probe.differs(outputs.sum(dim=1), alone.sum(dim=1)).any():
            return PASSED, ""
    return FAILED, (
        "All outputs together sum to what the values sum to, whatever the tokens are: each key "
        f"shares itself out among the queries, and a query's weights do not sum to 1. {KEYS}"
    )


def _growth(probe: Probe, path: Path) -> tuple[str, str]:
    """A token alone comes out as its value, which grows with it; times its score, as the cube."""
    if probe.is_coarse:
        return PASSED, ""
    grown = _growth_of_alone(probe, path, LARGE)
    if 10**2.5 < grown < math.inf:
        return FAILED, (
            f"A token that is 10 times as large comes out {grown:.0f} times as large, so "
            "the weights grow with the scores and do not sum to 1: there is no softmax, as in ReLU "
            f"attention. Elsewhere that is a mistake. {KEYS}"
        )
    return PASSED, ""


def _growth_of_alone(probe: Probe, path: Path, size: float) -> float:
    """How much more comes out for a token alone that is 10 times as large, from ``size`` on.

    The largest of many, for relu gives some of them no weight. Beside large ones a bias is nothing.
    """
    x = torch.cat([probe.draw(1) for _ in range(8)])
    zero, small, large = (probe.output(c * x, path).double() for c in (0.0, size, 10 * size))
    return ((large - zero).abs().max() / (small - zero).abs().max()).item()


def _unmapped(probe: Probe, path: Path) -> tuple[str, str]:
    """Where a token alone comes out as itself, outputs have to stay in the range of the tokens."""
    probe.tables["unmapped", path] = torch.tensor(False)
    x = probe.draw()
    alone = torch.cat([probe.output(x[:, j : j + 1], path) for j in range(x.shape[1])], dim=1)
    if alone.shape != x.shape:
        return PASSED, ""
    factor = ((alone * x).sum() / (x * x).sum()).item()
    room = max(probe.tolerance, 1e-6) * 10
    if not abs(factor) > room or probe.differs(alone, factor * x).any():
        return PASSED, ""
    if abs(factor - 1) > room and abs(factor - 2) > room:
        return FAILED, (
            f"A token alone comes out {factor:.3g} times as large: its weight, which is the only "
            "one, is not 1."
        )
    probe.tables["unmapped", path] = torch.tensor(True)
    outputs = probe.output(x, path) - (round(factor) - 1) * x  # without the residual
    low, high = x.amin(dim=1, keepdim=True), x.amax(dim=1, keepdim=True)
    reach = room * x.abs().max()
    if ((outputs < low - reach) | (outputs > high + reach)).any():
        return FAILED, "An output leaves the range of the values, and an average cannot."
    return PASSED, ""


def scores_count(probe: Probe) -> Finding:
    """Whether weights depend on the tokens at all.

    Two tokens that a query sees are opposite: p and -p, then q and -q. Their values sum to the
    same, so with equal weights its output is the same; the scores tell the pairs apart.
    """
    test = "scores count"
    own = probe.own
    others = torch.stack([probe.tables["bare", path] for path in probe.paths]).all(dim=0) & ~own
    pairs = {i: row.nonzero().flatten()[-2:] for i, row in enumerate(others) if row.sum() > 1}
    if not pairs:
        return not_applicable(test, "No output depends on two others." if others.any() else NOBODY)

    def moves(path, query, **given):
        """Small tokens and near ones too: where scores are large and unlike, one takes all."""
        pair, near = pairs[query], probe.draw_near()
        draws = [(size * probe.draw(), size, 0 * near[:, 0]) for size in SIZES]
        if probe.takes(1) and not probe.does_more(path):  # a norm would bend the sum of two values
            draws.append((near, 0.3, near[:, 0]))
        for x, size, center in draws:
            outputs = []
            for token in (size * probe.draw(2)).unbind(dim=1):
                x[:, pair] = torch.stack([center + token, center - token], dim=1)
                outputs.append(probe.output(x, path, **given)[:, query])
            if probe.differs(*outputs).any():
                return True
        return False

    def is_still(path, is_masked=False):
        """But for one query: a first row may be one fill, and a large fill rounds by chance."""
        moved = 0
        for query in reversed(pairs):
            mask = torch.ones(probe.length, probe.length, dtype=torch.bool)
            hidden = next(j for j in range(probe.length) if j != query and j not in pairs[query])
            mask[:, hidden] = torch.arange(probe.length) == hidden  # from all but itself
            given = {"mask": mask.to(probe.device)} if is_masked else {}
            moved += moves(path, query, **given)
            if moved == min(2, len(pairs)):
                return False
        return True

    still = {(path, ""): is_still(path) for path in probe.paths}
    if probe.layer.mask_argument is not None:
        still |= {(path, " when a mask is given"): is_still(path, True) for path in probe.paths}
    for path in probe.paths:
        probe.tables["scores count", path] = torch.tensor(not still[path, ""])
    bad = [key for key, value in still.items() if value]
    if not bad:
        return Finding(test, PASSED, "The weights depend on the tokens.")
    text = (
        f"All keys get the same weight{bad[0][1]}, whatever the tokens are: the scores play no "
        "part. A map that starts at zero does this until it is trained; so does a mask that hides "
        "everything, or turns what is allowed into one large number."
    )
    return Finding(
        test, FAILED, text + only_on(probe, [path for path, when in bad if when == bad[0][1]])
    )


def positions(probe: Probe) -> Finding:
    """Whether the order of the tokens counts, where it is said to."""
    test = "positions"
    x, order = WIDE * probe.draw(), torch.arange(probe.length)
    order[:-1] = order[:-1].flip(0)
    known = slice(-1 if probe.is_causal else 0, None)  # the last output sees all

    def is_same(path):
        outputs, turned = probe.output(x, path), probe.output(x[:, order], path)
        return not probe.differs(turned[:, known], outputs[:, order][:, known]).any()

    bad = [path for path in probe.paths if is_same(path)]
    if not bad:
        text = "With tokens in another order, outputs are others."
        return Finding(test, PASSED, text)
    text = (
        "With tokens in another order, outputs are the same: the layer is said to know positions, "
        "and they make no difference. Do they run along the axis of length?"
    )
    return Finding(test, FAILED, text + only_on(probe, bad))


def scale(probe: Probe, has_positions: bool) -> Finding | None:
    """1 / sqrt(head_dim), where it can be seen: no maps, so that the output shows the weight.

    Of two tokens, the last output divides their difference in the ratio of its weights; the
    logarithm of that ratio is the scale times the difference of the dot products.
    """
    seen = probe.interacts() and all(
        probe.tables.get(("unmapped", path), torch.tensor(False)) for path in probe.paths
    )
    if not seen or has_positions or probe.is_coarse:
        return None
    if not probe.takes(2):
        return None
    x = probe.draw(2)
    norms = torch.linspace(0.5, 1.5, 2 * len(x)).view(-1, 2, 1)  # for a cosine is no dot product
    x = norms.to(x) * x / x.norm(dim=-1, keepdim=True)
    outputs = probe.output(x, probe.paths[0])[:, -1].double().cpu()
    if not probe.differs(probe.output(x[:, 1:], probe.paths[0]), x[:, 1:]).any():
        other, own = x.double().cpu().unbind(dim=1)
    else:
        return None  # a residual is in the way
    for heads in (h for h in range(1, probe.d_model) if probe.d_model % h == 0):
        p, q, out = (t.unflatten(-1, (heads, -1)) for t in (other, own, outputs))
        gap = q - p
        share = ((out - p) * gap).sum(dim=-1) / (gap * gap).sum(dim=-1)
        on_line = (out - p - share[..., None] * gap).abs().max() < 1e-4
        factors = torch.logit(share) / (q * gap).sum(dim=-1)
        if on_line and factors.isfinite().all() and factors.std() < 0.01 * factors.mean().abs():
            wanted, factor = (probe.d_model / heads) ** -0.5, factors.mean().item()
            what = f"Each score is {factor:.4g} times the dot product"
            if abs(factor - wanted) < 0.01 * wanted:
                return Finding("scale", PASSED, f"{what}, which is 1/sqrt(head_dim).")
            dim = probe.d_model // heads
            text = f"{what}, and 1/sqrt(head_dim) is {wanted:.4g}: a head has {dim} features."
            return Finding("scale", FAILED, text)
    return None
