"""Examine an attention layer, whoever wrote it: tests, pictures, and the names of known mistakes.

``calling`` calls the layer, ``measuring`` finds out which output moves with which token,
``properties`` holds the tests, which ``judging`` turns into words, ``mistakes`` the names of known
mistakes, and ``report`` what is handed back.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import nn

from course_lib.study.examine import properties
from course_lib.study.examine.calling import (
    CAUSAL_NAMES,
    MASK_NAMES,
    PADDING_NAMES,
    WEIGHTS_NAMES,
    BroughtLayer,
    parameters_of,
    place_of,
    required_inputs,
    takes_keys,
)
from course_lib.study.examine.measuring import TOLERANCES, Measurements
from course_lib.study.examine.mistakes import name_mistakes
from course_lib.study.examine.report import FAILED, NOT_APPLICABLE, Finding, Report
from course_lib.validation import check_positive

__all__ = ["Finding", "Report", "examine_layer"]


def examine_layer(
    layer: Callable,
    d_model: int,
    *,
    is_causal: bool,
    true_means: str | None = None,
    mask_argument: str | None = None,
    padding_argument: str | None = None,
    causal_argument: str | None = None,
    weights_argument: str | None = None,
    has_positions: bool = False,
    batch_first: bool = True,
    batched: bool = True,
    num_inputs: int | None = None,
    options: Mapping | None = None,
    device: torch.device | str | None = None,
    dtype: torch.dtype | None = None,
    tolerance: float | None = None,
    seed: int = 0,
) -> Report:
    """Test an attention layer on random inputs, and say in plain words what is wrong with it.

    It is called in eval mode and without gradients, and left as it was: its mode, its buffers
    and torch's random numbers too. It may return its output alone, or in a tuple, a mapping or an
    object, with weights (..., query_len, key_len) beside it or without. Each test runs with the
    weights and without where the layer can be asked for them.

    Args:
        layer: a module or a function of x, or of query, key and value, each
            (batch, length, d_model).
        d_model: features of each token, in and out.
        is_causal: whether an output may depend on its own and earlier tokens only.
        true_means: "may attend" or "blocked", what True says in the masks that the layer takes.
            Without it no mask is given, and the report asks for it.
        mask_argument: the name of the argument that takes a boolean mask (query_len, key_len).
            When it is None, one of the usual names is looked for, such as mask or attn_mask.
        padding_argument: the same for a boolean mask (batch, key_len), such as key_padding_mask.
        causal_argument: the name of the argument that switches the causal mask on when it is
            True. When it is None, a layer that is meant to be causal has to be so by itself.
        weights_argument: the name of the argument that asks for the weights when it is True;
            need_weights and its like are found.
        has_positions: whether the layer itself adds positions, so that order counts.
        batch_first: (batch, length, d_model) when True, (length, batch, d_model) when False.
        batched: False for a layer that takes a single sequence, (length, d_model).
        num_inputs: 1 for x, 3 for query, key and value; read off the layer when it is None.
        options: further named arguments, passed in every call.
        device, dtype: of the inputs; those of the layer's parameters when they are None.
        tolerance: changes up to this share of the largest output count as rounding; one that suits
            the dtype when it is None.
        seed: fixes the inputs.

    Returns:
        A ``Report``, to be printed or shown in a notebook.

    Raises:
        TypeError, ValueError: an argument does not fit, or the layer cannot be called.
    """
    check_positive(d_model=d_model)
    if not callable(layer):
        raise TypeError(f"layer must be a module or a function, got {type(layer).__name__}")
    if not isinstance(is_causal, bool):
        raise TypeError(f"is_causal must be True or False, got {is_causal!r}")
    if true_means not in (None, "may attend", "blocked"):
        raise ValueError(f'true_means must be "may attend" or "blocked", got {true_means!r}')
    if tolerance is not None and not tolerance > 0:
        raise ValueError(f"tolerance must be above 0, got {tolerance}")
    parameters = parameters_of(layer)
    names = {
        "mask_argument": mask_argument,
        "padding_argument": padding_argument,
        "causal_argument": causal_argument,
        "weights_argument": weights_argument,
    }
    options = options or {}
    _check_names(names, parameters)
    _ask(names, parameters, options, is_causal, true_means)
    _look_for_names(names, parameters, true_means)

    known_device, known_dtype = place_of(layer)
    dtype = dtype or known_dtype
    if dtype not in TOLERANCES:
        raise TypeError(f"dtype must be one of {', '.join(map(str, TOLERANCES))}, got {dtype}")
    mask = parameters.get(names["mask_argument"] or "")
    num_inputs = _num_inputs(num_inputs, parameters, names)
    brought = BroughtLayer(
        layer,
        num_inputs,
        batch_first,
        batched,
        mask_argument=names["mask_argument"],
        padding_argument=names["padding_argument"],
        causal_argument=names["causal_argument"],
        weights_argument=names["weights_argument"],
        true_means_blocked=true_means == "blocked",
        mask_is_required=mask is not None and mask.default is mask.empty,
        question=_question(parameters) if true_means is None else "",
        takes_keys=num_inputs == 3 or takes_keys(parameters),
        options=options,
    )
    of = Measurements(
        brought,
        d_model,
        is_causal=is_causal,
        device=torch.device(device or known_device),
        dtype=dtype,
        tolerance=tolerance,
        seed=seed,
    )
    with _left_as_it_was(layer, of.device), torch.no_grad():
        _try_once(of)
        if brought.mask_argument is not None:
            brought.find_mask_shape(of.draw())
        findings = _findings(of, has_positions)
        failed = {f.test for f in findings if f.status == FAILED and f.picture is not None}
        looks_like = name_mistakes(of, failed, has_positions) if failed else {}
    return Report(tuple(findings), looks_like)


def _findings(of: Measurements, has_positions: bool) -> list[Finding]:
    first = properties.repeats(of)
    is_random = first.status == FAILED and not any(
        of.tables["broken", path].any() for path in of.paths
    )
    if is_random:
        why = "The layer gives two outputs for one input, so nothing else can be measured."
        return [first, Finding("the other tests", NOT_APPLICABLE, why)]
    tests: dict[str, Callable[[], Finding]] = {
        "leak test" if of.is_causal else "other tokens": lambda: properties.influence_without_mask(
            of
        ),
        "equivariance": lambda: properties.equivariance(of, has_positions),
        "equal tokens": lambda: properties.equal_tokens(of, has_positions),
        "batch independence": lambda: properties.batch(of),
        "mask": lambda: properties.masks(of, causal=False),
        "mask and causal": lambda: properties.masks(of, causal=True),
        "padding": lambda: properties.padding(of, has_positions),
        "empty rows": lambda: properties.empty_rows(of),
        "queries apart": lambda: properties.queries_apart(of),
        "more keys than queries": lambda: properties.more_keys(of, has_positions),
        "both paths": lambda: properties.both_paths(of),
        "weights": lambda: properties.weights(of),
    }
    return [first, *(_guarded(name, test) for name, test in tests.items())]


def _guarded(name: str, test: Callable[[], Finding]) -> Finding:
    try:
        return test()
    except Exception as error:  # whatever somebody's layer raises
        return Finding(name, FAILED, f"The layer stopped with {type(error).__name__}: {error}")


def _check_names(names: Mapping[str, str | None], parameters: Mapping) -> None:
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values()) or not parameters
    for argument, name in names.items():
        if name is not None and name not in parameters and not takes_any:
            raise ValueError(
                f"{argument} must name an argument of the layer ({', '.join(parameters)}), "
                f"got {name!r}"
            )


def _ask(
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
    for name in MASK_NAMES:
        is_needed = name in parameters and parameters[name].default is inspect.Parameter.empty
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


def _question(parameters: Mapping) -> str:
    for name in MASK_NAMES + PADDING_NAMES:
        if name in parameters:
            return (
                f"Does True in {name} mean may attend or blocked? That cannot be guessed: pass "
                'true_means="may attend" or true_means="blocked".'
            )
    return ""


def _look_for_names(
    names: dict[str, str | None], parameters: Mapping, true_means: str | None
) -> None:
    usual: dict[str, tuple[str, ...]] = {"weights_argument": WEIGHTS_NAMES}
    if true_means is not None:
        usual |= {"mask_argument": MASK_NAMES, "padding_argument": PADDING_NAMES}
    for argument, known in usual.items():
        found = [name for name in known if name in parameters]
        if names[argument] is None and found:
            names[argument] = found[0]


def _num_inputs(given: int | None, parameters: Mapping, names: Mapping[str, str | None]) -> int:
    if given is not None:
        if given not in (1, 3):
            raise ValueError(f"num_inputs must be 1 (x) or 3 (query, key, value), got {given!r}")
        return given
    required = [name for name in required_inputs(parameters) if name not in names.values()]
    if len(required) not in (1, 3):
        raise ValueError(
            "layer must take x, or query, key and value; it takes "
            f"{', '.join(required) or 'what cannot be read off it'}. Pass num_inputs=1 or "
            "num_inputs=3, or a function of x that calls it"
        )
    return len(required)


def _try_once(of: Measurements) -> None:
    x = of.draw()
    try:
        of.output(x, of.paths[0])
    except Exception as error:  # whatever somebody's layer raises
        raise ValueError(
            f"layer must take tensors of shape {tuple(x.shape)} = (batch, length, d_model) in "
            f"{of.dtype}, or in the layout that batch_first and batched say; it stopped with "
            f"{type(error).__name__}: {error}"
        ) from error


@contextmanager
def _left_as_it_was(layer: Callable, device: torch.device) -> Iterator[None]:
    """Eval mode; afterwards each module's mode, the buffers and the random numbers as before."""
    module = layer if isinstance(layer, nn.Module) else nn.Module()
    modes = [(part, part.training) for part in module.modules()]
    buffers = [(buffer, buffer.clone()) for buffer in module.buffers()]
    devices = [device] if device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        try:
            for part, _ in modes:
                part.training = False
            yield
        finally:
            for part, mode in modes:
                part.training = mode
            for buffer, before in buffers:
                buffer.copy_(before)
