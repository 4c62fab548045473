"""What a report does not vouch for: what was not tested, and what cannot be."""

from collections.abc import Mapping

from course_lib.study.examine.measuring import Measurements
from course_lib.study.examine.report import NOT_APPLICABLE, PASSED, WARNING, Finding

CACHE_NAMES = ("cache", "past")  # parts of them
SHORT_CACHE_NAMES = ("mem", "mems", "kv", "state")


def not_tested(
    of: Measurements,
    findings: Mapping[str, Finding],
    parameters: Mapping,
    used: set[str],
    has_positions: bool,
) -> dict[str, str]:
    """Return what a passed test says nothing about, each with a sentence."""
    if "averages" not in findings:
        return {"everything": "everything else."}
    lines: dict[str, str] = {}
    if "scale" not in findings:
        lines["scale"] = (
            "the scale of the scores, and whether a second softmax follows the first. Behind a "
            "layer's own maps 1/sqrt(head_dim) looks like any other number."
        )
    lines["window"] = (
        f"longer sequences, and the width of a window. Sequences of {of.length} tokens were used, "
        "and how far back a layer should see cannot be known."
    )
    lines["tolerance"] = (
        f"changes of less than {of.tolerance:g} of the largest output: they count as rounding, and "
        "so would a leak as small as that."
    )
    if not of.layer.takes_keys:
        lines["queries"] = (
            "whether a query's weights depend on other queries, as with a norm over the length: "
            "no keys can be given beside the queries."
        )
    left = [
        name
        for name, parameter in parameters.items()
        if name not in used
        and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
    ]
    caches = [
        name
        for name in left
        if name in SHORT_CACHE_NAMES or any(part in name.lower() for part in CACHE_NAMES)
    ]
    handed = f"{', '.join(caches)} stayed empty" if caches else "none was handed in"
    lines["caches"] = (
        f"caches: {handed}, so neither what they hold nor the mask behind them was looked at."
    )
    others = [name for name in left if name not in caches]
    if others:
        lines["arguments"] = f"arguments that were left alone: {', '.join(others)}."
    lines.update(_weights(of, findings))
    if has_positions:
        lines["positions"] = (
            "whether positions are the right ones; only whether the order of the tokens counts."
        )
    if of.layer.memory is not None:
        lines["memory"] = (
            "the second input, which was the same memory in all tests but that of its masks."
        )
    if of.layer.mask_argument is None and of.layer.padding_argument is None:
        lines["masks"] = "masks, for none was given."
    lines["training"] = (
        "training: dropout, gradients, and which head's weights are which when they are loaded."
    )
    return lines


def _weights(of: Measurements, findings: Mapping[str, Finding]) -> dict[str, str]:
    """What is left open about the weights."""
    averages = findings["averages"]
    lines = {}
    if findings["weights"].status == PASSED and not of.tables.get(("made", of.paths[-1]), False):
        lines["returned weights"] = (
            "whether the returned weights are those of the output. Only their sums and their "
            "zeros were looked at."
        )
    if averages.status in (NOT_APPLICABLE, WARNING):
        lines["averages"] = (
            "whether each query shares out its weights: a softmax over a wrong axis, or none, "
            "would not have been seen."
        )
    elif averages.status == PASSED:
        if any(of.does_more(path) for path in of.paths):
            lines["softmax axis"] = (
                "whether the softmax runs over the keys of one head alone, and not over the "
                "queries or over all heads at once. The layer does more than average (a norm, a "
                "gate, an MLP, or such weights), which hides it."
            )
        if not of.tables["unmapped", of.paths[0]]:
            lines["sum"] = (
                "whether the weights sum to 1 or to another fixed number such as 1/2, which the "
                "layer's maps may hide."
            )
    return lines
