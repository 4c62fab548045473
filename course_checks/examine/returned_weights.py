"""The test of the weights that a layer returns: are they weights, and are they the output's own?"""

import torch

from course_checks.examine.measuring import BATCH, WIDE, Measurements
from course_checks.examine.report import (
    FAILED,
    MOVED,
    MUST_NOT,
    PASSED,
    STILL,
    WARNING,
    Finding,
    Path,
    not_applicable,
    picture,
)


def weights(of: Measurements, has_positions: bool) -> Finding:
    test = "weights"
    path = of.paths[-1]
    x = of.draw()
    given: dict = {}
    allowed = of.meant()
    if of.layer.mask_argument is not None:
        mask = torch.ones_like(allowed)
        mask[:, 1] = torch.arange(of.length) == 1  # key 1 is hidden from all but itself
        allowed = allowed & mask
        given = {"mask": of.to_device(mask)}
    found = of.layer(x, causal=of.is_causal, with_weights=path, **given)[1]
    if found is None:
        return not_applicable(test, "The layer returns no weights (query_len, key_len).")
    again = of.layer(of.draw(), causal=of.is_causal, with_weights=path, **given)[1]
    if again is not None and torch.equal(found, again):
        return not_applicable(test, "What it returns beside the output depends on no token.")
    heads = tuple(found.shape[1:-2])
    found = found.double().cpu().reshape(-1, of.length, of.length)
    room = max(of.tolerance, 1e-6)
    of.tables["weights", "found"] = found
    is_sum_wrong = ~((found.sum(dim=-1) - 1).abs() <= room * of.length).all(dim=0)  # (query_len,)
    is_negative = ~(found >= -room).all(dim=0)  # (query_len, key_len)
    is_open = (found.abs() > room).any(dim=0) & ~allowed
    verdict = torch.where(is_open | is_negative | is_sum_wrong[:, None], 2, allowed.int())
    meanings = {MOVED: "allowed", STILL: "blocked, weight 0", MUST_NOT: "wrong weight"}
    text = "Rows sum to 1, no weight is negative, and what is blocked has weight 0."
    sums = found.sum(dim=-1)
    is_fixed = (sums - sums[:, :1]).abs().max() <= room * of.length
    if is_sum_wrong.any() and not is_open.any() and (is_fixed or _are_parts(found, room)):
        text = (
            f"In each head all weights of a query sum to one number ({sums[0, 0]:.3g}), not 1. "
            "Differential attention, a softmax minus a part of another, gives such a sum. "
            "Otherwise it is a mistake."
            if is_fixed
            else "The weights of a query sum to less than 1. A part of the weight goes elsewhere, "
            "as to a sink. Without one it is a mistake."
        )
        return Finding(test, WARNING, text, picture(allowed.int(), "query", "key", meanings))
    if is_negative.any() and not (is_fixed and is_open.any()):
        query, key = is_negative.nonzero()[0].tolist()
        text = f"The weight of query {query} on key {key} is negative: that is no weight."
    elif is_open.any():
        query, key = is_open.nonzero()[0].tolist()
        text = f"Query {query} may not attend to key {key}, and its weight there is not 0."
    elif is_sum_wrong.any():
        text = f"The weights of query {is_sum_wrong.nonzero()[0].item()} do not sum to 1."
        if ((found.sum(dim=-2) - 1).abs() <= room * of.length).all():
            text += (
                " Each key's weights sum to 1: the table is transposed, or the softmax runs over "
                "the queries."
            )
    elif not has_positions and of.layer.memory is None and _made_by_others(of, path, heads):
        verdict = torch.full_like(verdict, 2)
        text = (
            "Rows sum to 1, but the output is not the average that these weights give: they are "
            "of another computation, or averaged over the batch."
        )
    elif of.tables.get(("made", path)):
        text += " The output is the average that they give."
    status = FAILED if (verdict == 2).any() else PASSED
    return Finding(test, status, text, picture(verdict, "query", "key", meanings))


def _are_parts(found: torch.Tensor, room: float) -> bool:
    """Whether no weight is negative, and no query's sum is above 1."""
    return bool((found >= -room).all() and (found.sum(dim=-1) <= 1 + room * found.shape[-1]).all())


def _made_by_others(of: Measurements, path: Path, heads: tuple[int, ...]) -> bool:
    """Whether returned weights of each head are not those of the output, where that can be told.

    An output is a constant plus, for each head, a map of its average of the tokens. Where tokens
    have a few directions the unknowns are few: least squares finds the maps, or that none fit.
    ``heads`` are the axes of the weights between those of the batch and of the queries.
    """
    tables, outputs, directions = [], [], of.draw()[0, :3]
    for _ in range(2 + sum(heads)):  # twice what is unknown
        x = WIDE * of.draw()[..., :3] @ directions
        output, weights = of.layer(x, causal=of.is_causal, with_weights=path)
        if weights is None or of.is_coarse or len(weights) != BATCH or len(heads) > 1:
            return False
        means = weights.reshape(BATCH, -1, *weights.shape[-2:]) @ x[:, None]
        means = means.transpose(1, 2).flatten(2)  # (batch, length, heads * d_model)
        tables.append(torch.cat([means, x, torch.ones_like(x[..., :1])], dim=-1).flatten(0, 1))
        outputs.append(output.flatten(0, 1))
    table, wanted = (torch.cat(parts).double().cpu() for parts in (tables, outputs))
    left = wanted - table @ torch.linalg.lstsq(table, wanted, rcond=1e-5, driver="gelsd").solution
    made = left.abs().max() < 1e-3 * wanted.abs().max()
    of.tables["made", path] = made
    is_mean_of_heads = heads in ((), (1,))
    return not (made or is_mean_of_heads or of.does_more(path))
