"""What the heads of a layer hand on to its output map: read, averaged, and replaced.

A layer is a ``MultiHeadAttention``, or another attention whose heads ``find_heads`` finds, as in
transformers' models. ``ablation`` and ``patching`` do this for whole models.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

import torch
from torch import nn

from course_lib.study.head_places import AttentionHeads, heads_of


@contextmanager
def ablate_heads(
    heads: Mapping[nn.Module, Iterable[int]],
    instead: Mapping[nn.Module, torch.Tensor] | None = None,
    positions: torch.Tensor | None = None,
) -> Iterator[None]:
    """Replace the outputs of chosen heads while the ``with`` block runs.

        with ablate_heads({model.stack.blocks[1].attention: [0, 3]}):
            loss_without = ...

    With zero (zero ablation), what the heads would add through the output map is missing. With
    their mean output (mean ablation) only that is missing which differs between inputs: what a head
    adds to every position alike stays. With their outputs on another text (resample ablation, or
    activation patching) they say what they would say there. All else stays in each: weights,
    parameters, the other heads. The model is restored at the end, after an error or an interrupt
    too. Where two blocks are nested, the inner one decides about the heads that both name.

    Args:
        heads: for each attention layer, the numbers of the heads to ablate.
        instead: for each of these layers (num_heads, head_dim), from ``mean_head_outputs``, or
            (batch, query_len, num_heads, head_dim), from ``head_outputs``; zero when it is None.
        positions: (query_len,) or (batch, query_len), boolean, True = the heads are replaced here;
            everywhere when it is None.

    Raises:
        TypeError: a key is no attention layer whose heads can be found, see ``heads_of``.
        ValueError: there is no head of that number, or a layer's part of ``instead`` is missing or
            does not fit; in a run, ``positions`` has another length.
    """
    gone = {attention: _gone(attention, numbers) for attention, numbers in heads.items()}
    with _replaced(gone, instead, positions):
        yield


@contextmanager
def ablate_by_row(sets: Sequence[Mapping[nn.Module, Iterable[int]]]) -> Iterator[None]:
    """Row i of a batch of ``len(sets)`` rows runs without the heads of ``sets[i]``: zero ablation.

    Raises:
        TypeError, ValueError: as ``ablate_heads``.
    """
    gone: dict[nn.Module, torch.Tensor] = {}  # (len(sets), width) each
    for row, heads in enumerate(sets):
        for attention, numbers in heads.items():
            in_row = _gone(attention, numbers)
            gone.setdefault(attention, in_row.new_zeros(len(sets), len(in_row)))[row] = in_row
    with _replaced(gone):
        yield


def head_outputs(
    attentions: Iterable[nn.Module], call: Callable[[], object]
) -> dict[nn.Module, torch.Tensor]:
    """Return the output of each head at each position, for ``ablate_heads``.

    ``call`` runs the model on one batch. For each of the layers comes (batch, query_len, num_heads,
    head_dim): the outputs before its output map, without gradients, in its dtype, on its device.

    Raises:
        TypeError: one of them is no attention layer whose heads can be found, see ``heads_of``.
        ValueError: ``call`` did not run one of the layers, or ran it more than once.
    """
    layers = [heads_of(attention) for attention in attentions]
    seen: dict[nn.Module, list[torch.Tensor]] = {layer.module: [] for layer in layers}
    with _watched(layers, lambda layer, outputs: seen[layer.module].append(outputs)):
        call()
    for given in seen.values():
        if len(given) != 1:
            raise ValueError(f"call must run each layer of attentions once, got {len(given)} times")
    return {attention: outputs for attention, (outputs,) in seen.items()}


def mean_head_outputs(
    attentions: Iterable[nn.Module],
    call: Callable[[], object],
    positions: torch.Tensor | None = None,
) -> dict[nn.Module, torch.Tensor]:
    """Return the mean output of each head over all texts and positions of reference inputs.

        layers = [block.attention for block in model.stack.blocks]
        means = mean_head_outputs(layers, lambda: model(tokens))

    ``call`` runs the model on the reference inputs, once or in several batches. ``positions``
    (batch, query_len), boolean, says which count (True), for texts with padding. For each of the
    layers comes (num_heads, head_dim): the means before its output map, without gradients, in
    float32 or float64, on its device.

    Raises:
        TypeError: one of them is no attention layer whose heads can be found, see ``heads_of``.
        ValueError: ``call`` did not run one of the layers, or on no position.
    """
    layers = [heads_of(attention) for attention in attentions]
    sums: dict[nn.Module, torch.Tensor] = {}
    counts = dict.fromkeys((layer.module for layer in layers), 0)

    def add(layer: AttentionHeads, outputs: torch.Tensor) -> None:
        if positions is not None:
            outputs = outputs[positions.to(outputs.device)]
        rows = outputs.flatten(0, -3)  # (batch * query_len, num_heads, head_dim)
        rows = rows.to(torch.promote_types(rows.dtype, torch.float32))  # half would round the sum
        sums[layer.module] = sums.get(layer.module, 0) + rows.sum(dim=0)
        counts[layer.module] += len(rows)

    with _watched(layers, add):
        call()
    if not all(counts.values()):
        raise ValueError("call must run each layer of attentions on at least one position")
    return {attention: total / counts[attention] for attention, total in sums.items()}


@contextmanager
def _watched(
    layers: Iterable[AttentionHeads], note: Callable[[AttentionHeads, torch.Tensor], object]
) -> Iterator[None]:
    """Show ``note`` what the heads of each layer give, (batch, query_len, num_heads, head_dim)."""
    with ExitStack() as hooks, torch.no_grad():
        for layer in layers:

            def show(_, inputs, layer=layer):
                note(layer, inputs[0].detach().unflatten(-1, (layer.num_heads, layer.head_dim)))

            hooks.enter_context(layer.output_map.register_forward_pre_hook(show))
        yield


def _gone(attention: nn.Module, numbers: Iterable[int]) -> torch.Tensor:
    """Return which inputs of the output map are replaced, (width,)."""
    layer = heads_of(attention)
    gone = torch.zeros(layer.num_heads * layer.head_dim, dtype=torch.bool)
    for number in numbers:
        gone[layer.columns(number)] = True
    return gone


@contextmanager
def _replaced(
    gone: Mapping[nn.Module, torch.Tensor],
    instead: Mapping[nn.Module, torch.Tensor] | None = None,
    positions: torch.Tensor | None = None,
) -> Iterator[None]:
    with ExitStack() as hooks:
        for attention, columns in gone.items():  # (width,) or (batch, width)
            layer = heads_of(attention)
            columns = columns[:, None] if columns.dim() == 2 else columns  # of all positions
            if positions is not None:
                columns = columns & positions.cpu()[..., None]
            shape = (layer.num_heads, layer.head_dim)
            new = torch.zeros(shape)
            if instead is not None:
                new = instead.get(attention, new[0])
                if new.shape[-2:] != shape or new.dim() not in (2, 4):
                    raise ValueError(
                        f"instead must hold {shape}, or (batch, query_len) before it, for each "
                        f"layer, got {tuple(new.shape) if attention in instead else None}"
                    )
            replace = partial(_replace, columns=columns, new=new.flatten(-2), positions=positions)
            hooks.enter_context(layer.output_map.register_forward_pre_hook(replace))
        yield


def _replace(_, inputs, columns: torch.Tensor, new: torch.Tensor, positions: torch.Tensor | None):
    (joined,) = inputs  # (batch, query_len, width)
    length = joined.shape[-2]
    if positions is not None and positions.shape[-1] != length:
        raise ValueError(
            f"positions must be as long as what the model reads at once, {length}, "
            f"got {positions.shape[-1]}; with a cache, heads can be off everywhere only"
        )
    if new.dim() > 1 and new.shape != joined.shape:
        raise ValueError(
            f"instead must come from texts of shape {tuple(joined.shape[:2])}, "
            f"got {tuple(new.shape[:2])}"
        )
    return (torch.where(columns.to(joined.device), new.to(joined), joined),)
