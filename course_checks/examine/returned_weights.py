"""The test of the weights that a layer returns: are they weights, and are they the output's own?"""

import torch

from course_checks.examine.measuring import BATCH, WIDE, Probe
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


def weights(probe: Probe, has_positions: bool) -> Finding:
    test = "weights"
    path = probe.paths[-1]
    x = probe.draw()
    given: dict = {}
    allowed = probe.meant()
    if probe.layer.mask_argument is not None:
        mask = torch.ones_like(allowed)
        mask[:, 1] = torch.arange(probe.length) == 1  # key 1 is hidden from all but itself
        allowed = allowed & mask
        given = {"mask": mask.to(probe.device)}
    returned = probe.layer(x, causal=probe.is_causal, with_weights=path, **given)[1]
    if returned is None:
        return not_applicable(test, "The layer returns no weights (query_len, key_len).")
    again = probe.layer(probe.draw(), causal=probe.is_causal, with_weights=path, **given)[1]
    if again is not None and torch.equal(returned, again):
        return not_applicable(test, "What it returns beside the output depends on no token.")
    heads = tuple(returned.shape[1:-2])
    returned = returned.double().cpu().reshape(-1, probe.length, probe.length)
    room = max(probe.tolerance, 1e-6)
    probe.tables["weights", "returned"] = returned
    is_sum_wrong = ~((returned.sum(dim=-1) - 1).abs() <= room * probe.length).all(dim=0)
    is_negative = ~(returned >= -room).all(dim=0)  # (query_len, key_len)
    is_open = (returned.abs() > room).any(dim=0) & ~allowed
    verdict = torch.where(is_open | is_negative | is_sum_wrong[:, None], 2, allowed.int())
    meanings = {MOVED: "allowed", STILL: "blocked, weight 0", MUST_NOT: "wrong weight"}
    text = "Rows sum to 1, no weight is negative, and what is blocked has weight 0."
    sums = returned.sum(dim=-1)
    is_fixed = (sums - sums[:, :1]).abs().max() <= room * probe.length
    is_part = bool((returned >= -room).all() and (sums <= 1 + room * probe.length).all())
    if is_sum_wrong.any() and not is_open.any() and (is_fixed or is_part):
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
        if ((returned.sum(dim=-2) - 1).abs() <= room * probe.length).all():
            text += (
                " Each key's weights sum to 1: the table is transposed, or the softmax runs over "
                "the queries."
            )
    elif not has_positions and probe.layer.memory is None and _made_by_others(probe, path, heads):
        verdict = torch.full_like(verdict, 2)
        text = (
            "Rows sum to 1, but the output is not the average that these weights give: they are "
            "of another computation, or averaged over the batch."
        )
    elif probe.tables.get(("made", path)):
        text += " The output is the average that they give."
    status = FAILED if (verdict == 2).any() else PASSED
    return Finding(test, status, text, picture(verdict, "query", "key", meanings))


def _made_by_others(probe: Probe, path: Path, heads: tuple[int, ...]) -> bool:
    """Whether returned weights of each head are not those of the output, where that can be told.

    An output is a constant plus, for each head, a map of its average of the tokens. Where tokens
    have a few directions the unknowns are few: least squares finds the maps, or that none fit.
    ``heads`` are the axes of the weights between those of the batch and of the queries.
    """
    tables, outputs, directions = [], [], probe.draw()[0, :3]
    for _ in range(2 + sum(heads)):  # twice what is unknown
        x = WIDE * probe.draw()[..., :3] @ directions
        output, weights = probe.layer(x, causal=probe.is_causal, with_weights=path)
        if weights is None or probe.is_coarse or len(weights) != BATCH or len(heads) > 1:
            return False
        means = weights.reshape(BATCH, -1, *weights.shape[-2:]) @ x[:, None]
        means = means.transpose(1, 2).flatten(2)  # (batch, length, heads * d_model)
        tables.append(torch.cat([means, x, torch.ones_like(x[..., :1])], dim=-1).flatten(0, 1))
        outputs.append(output.flatten(0, 1))
    table, wanted = (torch.cat(parts).double().cpu() for parts in (tables, outputs))
    left = wanted - table @ torch.linalg.lstsq(table, wanted, rcond=1e-5, driver="gelsd").solution
    made = left.abs().max() < 1e-3 * wanted.abs().max()
    probe.tables["made", path] = made
    is_mean_of_heads = heads in ((), (1,))
    return not (made or is_mean_of_heads or probe.does_more(path))
