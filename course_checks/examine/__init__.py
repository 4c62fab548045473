"""Examine an attention layer, whoever wrote it: tests, pictures, and the names of known mistakes.

``ablations`` examines a way to switch heads off in a model, and the rest a layer.

``arguments`` reads what the caller and the signature say, and lists what no test has seen.
``calling`` calls the layer, ``forms`` are those of its masks and outputs, which ``probing`` finds.
``measuring`` finds out which output moves with which token, and ``small_shares`` looks again where
none seems to. The tests are in ``properties``, ``memory``, ``masking`` and ``sharing``.
``mistakes`` holds the names of known mistakes, and ``report`` turns what was measured into words
and pictures.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import torch

from course_checks.examine import masking, memory, properties, returned_weights, sharing
from course_checks.examine.ablations import examine_ablation
from course_checks.examine.arguments import (
    check_names,
    find_num_inputs,
    not_tested,
    question,
    refuse_to_guess,
    required_masks,
    usual_names,
)
from course_checks.examine.calling import (
    MASK_NAMES,
    MEMORY_MASK_NAMES,
    PADDING_NAMES,
    WEIGHTS_NAMES,
    BroughtLayer,
    modules_of,
    order_of,
    parameters_of,
    place_of,
    takes_keys,
)
from course_checks.examine.forms import WrongOutput
from course_checks.examine.measuring import BATCH, TOLERANCES, Probe
from course_checks.examine.mistakes import name_mistakes
from course_checks.examine.probing import RUNS, find_forms
from course_checks.examine.report import FAILED, NOT_APPLICABLE, Finding, Report
from course_checks.examine.small_shares import looked_at_closely
from course_lib.validation.layer_inputs import (
    check_flags,
    check_not_negative,
    check_number,
    check_positive,
)

__all__ = ["Finding", "Report", "examine_ablation", "examine_layer"]


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
    length: int | None = None,
    options: Mapping | None = None,
    device: torch.device | str | None = None,
    dtype: torch.dtype | None = None,
    tolerance: float | None = None,
    seed: int = 0,
) -> Report:
    """Test an attention layer on random inputs, and say in plain words what is wrong with it.

    It is called in eval mode and without gradients, and left as it was: its mode, its buffers
    and torch's random numbers too. It may return its output (batch, length, features) alone, or in
    a tuple, a mapping or an object, with weights (..., query_len, key_len) beside it or without.
    Each test runs with the weights and without where the layer can be asked for them. In which
    form it takes a mask is found by trying: boolean, as numbers, or added to the scores; for each
    query, or (batch, key_len). The report ends with what was not tested.

    Args:
        layer: a module or a function of x, of x and a memory, or of query, key and value, each
            (batch, length, d_model).
        d_model: features of each token that goes in; a head may give out another number.
        is_causal: whether an output may depend on its own and earlier tokens only.
        true_means: "may attend" or "blocked", what True says in the masks that the layer takes.
            Without it no mask is given, and the report asks for it. Where masks are added to the
            scores, it plays no part.
        mask_argument: the name of the argument that takes a mask (query_len, key_len), in any
            form. When it is None, the usual names are tried, such as mask or attn_mask.
        padding_argument: the same for a mask (batch, key_len), such as key_padding_mask.
        causal_argument: the name of the argument that switches the causal mask on when it is
            True. When it is None, a layer that is meant to be causal has to be so by itself.
        weights_argument: the name of the argument that asks for the weights when it is True;
            need_weights and its like are found.
        has_positions: whether the layer itself adds positions, so that order counts.
        batch_first: (batch, length, d_model) when True, (length, batch, d_model) when False.
        batched: False for a layer that takes a single sequence, (length, d_model).
        num_inputs: 1 for x, 2 for x and a memory, 3 for query, key and value; read off the layer
            when it is None. The order of query, key and value is read off their names.
        length: how many tokens a sequence has, for a layer that takes one length alone, 6 or more;
            6 or 7 when it is None.
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
    check_flags(is_causal=is_causal)
    if true_means not in (None, "may attend", "blocked"):
        raise ValueError(f'true_means must be "may attend" or "blocked", got {true_means!r}')
    check_not_negative(seed=seed)
    check_number(tolerance=1 if tolerance is None else tolerance)
    check_positive(length=6 if length is None else length)
    if length is not None and length < 6:
        raise ValueError(f"length must be a whole number from 6 on, got {length!r}")
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
    check_names(names, parameters)
    refuse_to_guess(names, parameters, options, is_causal, true_means)
    masks = paddings = []
    if true_means is not None:
        masks = usual_names(mask_argument, MASK_NAMES, parameters, options)
        masks = [name for name in masks if name != padding_argument]
        paddings = usual_names(padding_argument, PADDING_NAMES, parameters, options)
        paddings = [name for name in paddings if name != mask_argument]
    weights_names = usual_names(weights_argument, WEIGHTS_NAMES, parameters, options)

    known_device, known_dtype = place_of(layer)
    dtype = dtype or known_dtype
    if dtype not in TOLERANCES:
        raise TypeError(f"dtype must be one of {', '.join(map(str, TOLERANCES))}, got {dtype}")
    known = [*masks, *paddings, *weights_names, *options, causal_argument]
    num_inputs = find_num_inputs(num_inputs, parameters, known)
    memory_masks: list[str] = []
    if true_means is not None and num_inputs == 2:
        memory_masks = usual_names(None, MEMORY_MASK_NAMES, parameters, options)
    required = required_masks(parameters, options, [*masks, *paddings])
    brought = BroughtLayer(
        layer,
        num_inputs,
        batch_first,
        batched,
        causal_argument=causal_argument,
        weights_argument=weights_names[0] if weights_names else None,
        true_means_blocked=true_means == "blocked",
        required_masks=required,
        question=question(parameters) if true_means is None else "",
        takes_keys=num_inputs == 3 or takes_keys(parameters),
        order=order_of(parameters) if num_inputs == 3 else "qkv",
        options=options,
        memory_masks=dict.fromkeys(memory_masks, RUNS),
    )
    probe = Probe(
        brought,
        d_model,
        is_causal=is_causal,
        device=torch.device(device or known_device),
        dtype=dtype,
        tolerance=tolerance,
        seed=seed,
        length=length,
    )
    fresh = replace(brought)
    with _left_as_it_was(layer, probe.device), torch.no_grad():
        _start(probe, masks, paddings)
        with looked_at_closely(probe) as closer:
            if closer is not None:
                probe.layer = brought = fresh
                _start(probe, masks, paddings)
            findings = [] if closer is None else [closer]
            findings += _findings(probe, has_positions)
            failed = {f.test for f in findings if f.status == FAILED and f.picture is not None}
            failed |= {f.test for f in findings if f.status == FAILED} & {"averages", memory.TEST}
            looks_like = name_mistakes(probe, failed, has_positions) if failed else {}
        by_test = {finding.test: finding for finding in findings}
        used = {*list(parameters)[: 3 if takes_keys(parameters) else num_inputs], causal_argument}
        used |= {*options, *weights_names, brought.mask_argument, brought.padding_argument}
        used |= {*brought.memory_masks} if brought.memory is not None else set()
        open_questions = not_tested(probe, by_test, parameters, used, has_positions)
    return Report(tuple(findings), looks_like, open_questions)


def _findings(probe: Probe, has_positions: bool) -> list[Finding]:
    first = properties.repeats(probe)
    is_random = any(probe.tables["same input twice", path].any() for path in probe.paths)
    if is_random and not any(probe.tables["broken", path].any() for path in probe.paths):
        why = "The layer gives two outputs for one input, so nothing else can be measured."
        return [first, Finding("the other tests", NOT_APPLICABLE, why)]
    findings = [first]
    if probe.layer.num_inputs == 2:
        findings.append(_guarded(memory.TEST, lambda: memory.memory(probe, has_positions)))
    if any((memory.TEST, role) in probe.tables for role in memory.ROLES):
        why = "The inputs are not what they should be, see the test called memory."
        return [*findings, Finding("the other tests", NOT_APPLICABLE, why)]
    tests: dict[str, Callable[[], Finding]] = {
        "leak test" if probe.is_causal else "other tokens": lambda: properties.without_mask(probe),
        "equivariance": lambda: properties.equivariance(probe, has_positions),
        "equal tokens": lambda: properties.equal_tokens(probe, has_positions),
        "scores count": lambda: sharing.scores_count(probe),
        "averages": lambda: sharing.averages(probe),
        "batch independence": lambda: properties.batch(probe),
        "mask": lambda: masking.masks(probe, causal=False),
        "mask and causal": lambda: masking.masks(probe, causal=True),
        "padding": lambda: masking.padding(probe, has_positions),
        "empty rows": lambda: masking.empty_rows(probe),
        "queries apart": lambda: properties.queries_apart(probe),
        "more keys than queries": lambda: properties.more_keys(probe, has_positions),
        "both paths": lambda: properties.both_paths(probe),
        "weights": lambda: returned_weights.weights(probe, has_positions),
        "parameters": lambda: properties.parameters(probe),
    }
    if probe.layer.mask_argument is not None and probe.layer.padding_argument is not None:
        tests["mask and padding"] = lambda: masking.both_masks(probe)
    if probe.layer.memory is not None and probe.layer.memory_masks:
        tests["masks of the memory"] = lambda: masking.memory_masks(probe)
    if probe.layer.num_inputs == 3:
        tests["values apart"] = lambda: properties.values_apart(probe)
    if has_positions:
        tests["positions"] = lambda: sharing.positions(probe)
    findings += [_guarded(name, test) for name, test in tests.items()]
    scale = sharing.scale(probe, has_positions)
    return findings if scale is None else [*findings, scale]


def _guarded(name: str, test: Callable[[], Finding]) -> Finding:
    try:
        return test()
    except Exception as error:  # whatever somebody's layer raises
        return Finding(name, FAILED, f"The layer stopped with {type(error).__name__}: {error}")


def _start(probe: Probe, masks: list[str], paddings: list[str]) -> None:
    """Call the layer for the first time, and find out in which form it takes its masks."""
    layer = probe.layer
    if layer.num_inputs == 2:
        layer.memory = probe.draw()[:1]  # as long as x, for a mask of either
    try:
        if layer.num_inputs == 2:
            moved = probe.who_moves(lambda x: probe.output(x, probe.paths[0]))
            if not (moved & ~probe.own).any():
                layer.memory, layer.takes_keys = None, True  # it attends to its second input alone
                masks, layer.memory_masks = [*masks, *layer.memory_masks], {}
        find_forms(probe, masks, paddings)
        probe.output(probe.draw(), probe.paths[0])
    except WrongOutput:
        raise
    except Exception as error:  # whatever somebody's layer raises
        beside = " and a memory of that shape" if layer.num_inputs == 2 else ""
        raise ValueError(
            f"layer must take tensors of shape {(BATCH, probe.length, probe.d_model)} = (batch, "
            f"length, d_model) in {probe.dtype}{beside}, or in the layout that batch_first and "
            f"batched say (for a layer made for one length, pass length=); it stopped with "
            f"{type(error).__name__}: {error}"
        ) from error


@contextmanager
def _left_as_it_was(layer: Callable, device: torch.device) -> Iterator[None]:
    """Eval mode; afterwards each module's mode, the buffers and the random numbers as before."""
    modules = modules_of(layer)
    modes = [(part, part.training) for module in modules for part in module.modules()]
    buffers = [(buffer, buffer.clone()) for module in modules for buffer in module.buffers()]
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
