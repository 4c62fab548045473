"""What the caller says about a layer, and what its signature says; what is open is asked."""

import inspect
from collections.abc import Mapping, Sequence

from course_lib.study.examine.calling import (
    CAUSAL_NAMES,
    MASK_NAMES,
    MEMORY_NAMES,
    PADDING_NAMES,
    required_inputs,
)


def check_names(names: Mapping[str, str | None], parameters: Mapping) -> None:
    """Refuse a name that the layer has no argument of."""
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values()) or not parameters
    for argument, name in names.items():
        if name is not None and name not in parameters and not takes_any:
            raise ValueError(
                f"{argument} must name an argument of the layer ({', '.join(parameters)}), "
                f"got {name!r}"
            )


def ask(
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
    has_memory = len(required) == 2 and required[1] in MEMORY_NAMES
    if len(required) not in (1, 3) and not has_memory:
        raise ValueError(
            "layer must take x, or query, key and value; it takes "
            f"{', '.join(required) or 'what cannot be read off it'}. Pass num_inputs=1, 2 (x and "
            "a memory) or 3, or a function of x that calls it; what else it needs goes into "
            "options={...}"
        )
    return len(required)
