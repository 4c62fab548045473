"""What the caller and the signature say of a layer, what has to be asked, and what stays open."""

import inspect
from collections.abc import Mapping, Sequence

from course_checks.examine.calling import (
    CAUSAL_NAMES,
    MASK_NAMES,
    MEMORY_NAMES,
    PADDING_NAMES,
    required_inputs,
)
from course_checks.examine.measuring import Probe
from course_checks.examine.report import NOT_APPLICABLE, PASSED, WARNING, Finding

CACHE_NAMES = ("cache", "past")  # parts of them
SHORT_CACHE_NAMES = ("mem", "mems", "kv", "state")


def check_names(names: Mapping[str, str | None], parameters: Mapping) -> None:
    """Refuse a name that the layer has no argument of."""
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values()) or not parameters
    for argument, name in names.items():
        if name is not None and name not in parameters and not takes_any:
            raise ValueError(
                f"{argument} must name an argument of the layer ({', '.join(parameters)}), "
                f"got {name!r}"
            )


def refuse_to_guess(
    names: Mapping[str, str | None],
    parameters: Mapping,
    options: Mapping,
    is_causal: bool,
    true_means: str | None,
) -> None:
    """Refuse to guess: say which argument answers the open question."""
    for argument in ("mask_argument", "padding_argument"):
        if names[argument] is not None and true_means is None:
            raise ValueError(
                f'{argument}="{names[argument]}" needs true_means beside it: "may attend" or '
                '"blocked", which cannot be guessed'
            )
    for name in MASK_NAMES + PADDING_NAMES:
        is_needed = name in required_masks(parameters, options)
        if is_needed and true_means is None:
            raise ValueError(
                f'layer cannot be called without {name}: pass true_means="may attend" or '
                'true_means="blocked", what True says in it, which cannot be guessed'
            )
    switches = [name for name in CAUSAL_NAMES if name in parameters and name not in options]
    if is_causal and switches and names["causal_argument"] is None:
        name = switches[0]
        raise ValueError(
            f"layer has an argument {name}: where it switches the causal mask on, pass "
            f'causal_argument="{name}"; otherwise its value, options={{"{name}": ...}}'
        )


def required_masks(
    parameters: Mapping, options: Mapping, named: Sequence[str] = ()
) -> tuple[str, ...]:
    """The masks that the layer cannot be called without; ``named`` are known to be masks."""
    return tuple(
        name
        for name in (*MASK_NAMES, *PADDING_NAMES, *named)
        if name in parameters
        and parameters[name].default is inspect.Parameter.empty
        and name not in options
    )


def question(parameters: Mapping) -> str:
    """What has to be said before a mask can be given; empty where there is none."""
    for name in MASK_NAMES + PADDING_NAMES:
        if name in parameters:
            return (
                f"Does True in {name} mean may attend or blocked? That cannot be guessed: pass "
                'true_means="may attend" or true_means="blocked". (Where the mask is added to the '
                "scores, either will do.)"
            )
    return ""


def usual_names(
    given: str | None, usual: tuple[str, ...], parameters: Mapping, options: Mapping
) -> list[str]:
    """The argument that the caller names, or those of the layer that have a usual name."""
    if given is not None:
        return [given]
    return [name for name in usual if name in parameters and name not in options]


def find_num_inputs(given: int | None, parameters: Mapping, known: list[str]) -> int:
    """1 for x, 2 for x and a memory, 3 for query, key and value; ``known`` are no inputs."""
    if given is not None:
        if given not in (1, 2, 3):
            raise ValueError(
                "num_inputs must be 1 (x), 2 (x and a memory) or 3 (query, key, value), got "
                f"{given!r}"
            )
        return given
    required = [name for name in required_inputs(parameters) if name not in known]
    has_memory = len(required) == 2 and any(part in required[1] for part in MEMORY_NAMES)
    if len(required) not in (1, 3) and not has_memory:
        raise ValueError(
            "layer must take x, or query, key and value; it takes "
            f"{', '.join(required) or 'what cannot be read off it'}. Pass num_inputs=1, 2 (x and "
            "a memory) or 3, or a function of x that calls it; what else it needs goes into "
            "options={...}"
        )
    return len(required)


OPEN = {
    "everything": "everything else.",
    "scale": "the scale of the scores, and whether a second softmax follows the first. Behind a "
    "layer's own maps 1/sqrt(head_dim) looks like any other number.",
    "window": "longer sequences, and the width of a window. Sequences of {length} tokens were "
    "used, and how far back a layer should see cannot be known.",
    "tolerance": "changes of less than {tolerance:g} of the largest output: they count as "
    "rounding, and so would a leak as small as that, such as behind a mask that fills with -20.",
    "queries": "whether a query's weights depend on other queries, as with a norm over the "
    "length: no keys can be given beside the queries.",
    "caches": "caches: {caches}, so neither what they hold nor the mask behind them was looked at.",
    "arguments": "arguments that were left alone: {others}.",
    "returned weights": "whether the returned weights are those of the output. Only their sums "
    "and their zeros were looked at.",
    "averages": "whether each query shares out its weights: a softmax over a wrong axis, or none, "
    "would not have been seen.",
    "softmax axis": "whether the softmax runs over the keys of one head alone, and not over the "
    "queries or over all heads at once. The layer does more than average (a norm, a gate, an MLP, "
    "or such weights), which hides it.",
    "sum": "whether the weights sum to 1 or to another fixed number such as 1/2, which the "
    "layer's maps may hide.",
    "positions": "whether positions are the right ones; only whether the order of the tokens "
    "counts.",
    "memory": "x and the memory changed together: one of them was always left alone.",
    "masks": "masks, for none was given.",
    "training": "training: dropout, gradients, and which head's weights are which when they are "
    "loaded.",
}


def not_tested(
    probe: Probe,
    findings: Mapping[str, Finding],
    parameters: Mapping,
    used: set[str | None],
    has_positions: bool,
) -> dict[str, str]:
    """Return what a passed test says nothing about, each with a sentence."""
    if "averages" not in findings:
        return {"everything": OPEN["everything"]}
    starred = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    left = [n for n, parameter in parameters.items() if parameter.kind not in starred]
    left = [name for name in left if name not in used]
    caches = [
        name
        for name in left
        if name in SHORT_CACHE_NAMES or any(part in name.lower() for part in CACHE_NAMES)
    ]
    others = [name for name in left if name not in caches]
    layer, weights, averages = probe.layer, findings["weights"].status, findings["averages"].status
    is_open = {
        "scale": "scale" not in findings,
        "queries": not layer.takes_keys,
        "arguments": bool(others),
        "returned weights": weights == PASSED
        and not probe.tables.get(("made", probe.paths[-1]), False),
        "averages": averages in (NOT_APPLICABLE, WARNING),
        "softmax axis": averages == PASSED and any(map(probe.does_more, probe.paths)),
        "sum": averages == PASSED and not probe.tables["unmapped", probe.paths[0]],
        "positions": has_positions,
        "memory": layer.memory is not None,
        "masks": layer.mask_argument is None and layer.padding_argument is None,
        "everything": False,
    }
    numbers = {
        "length": probe.length,
        "tolerance": probe.tolerance,
        "caches": f"{', '.join(caches)} stayed empty" if caches else "none was handed in",
        "others": ", ".join(others),
    }
    return {name: text.format(**numbers) for name, text in OPEN.items() if is_open.get(name, True)}
