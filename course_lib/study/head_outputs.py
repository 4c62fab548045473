"""What the heads of a layer hand on to ``out_proj``: read, averaged, and replaced.

``ablation`` and ``patching`` do this for whole models.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

import torch

from course_lib.attention.multi_head import MultiHeadAttention


@contextmanager
def ablate_heads(
    heads: Mapping[MultiHeadAttention, Iterable[int]],
    instead: Mapping[MultiHeadAttention, torch.Tensor] | None = None,
) -> Iterator[None]:
    """Replace the outputs of chosen heads while the ``with`` block runs.

        with ablate_heads({model.stack.blocks[1].attention: [0, 3]}):
            loss_without = ...

    With zero (zero ablation), what the heads would add through ``out_proj`` is missing. With their
    mean output (mean ablation) only that is missing which differs between inputs: what a head adds
    to every position alike stays. With their outputs on another text (resample ablation, or
    activation patching) they say what they would say there. All else stays in each: weights,
    parameters, the other heads. The model is restored at the end, after an error too. Where two
    blocks are nested, the inner one decides about the heads that both name.

    Args:
        heads: for each ``MultiHeadAttention``, the numbers of the heads to ablate.
        instead: for each of these layers (num_heads, head_dim), from ``mean_head_outputs``, or
            (batch, query_len, num_heads, head_dim), from ``head_outputs``; zero when it is None.

    Raises:
        TypeError: a key is no ``MultiHeadAttention``.
        ValueError: there is no head of that number, or a layer's part of ``instead`` is missing or
            does not fit.
    """
    gone = {attention: _gone(attention, numbers) for attention, numbers in heads.items()}
    with _replaced(gone, instead):
        yield


@contextmanager
def ablate_by_row(sets: Sequence[Mapping[MultiHeadAttention, Iterable[int]]]) -> Iterator[None]:
    """Row i of a batch of ``len(sets)`` rows runs without the heads of ``sets[i]``: zero ablation.

    Raises:
        TypeError, ValueError: as ``ablate_heads``.
    """
    gone: dict[MultiHeadAttention, torch.Tensor] = {}  # (len(sets), num_heads) each
    for row, heads in enumerate(sets):
        for attention, numbers in heads.items():
            in_row = _gone(attention, numbers)
            gone.setdefault(attention, in_row.new_zeros(len(sets), len(in_row)))[row] = in_row
    with _replaced(gone, None):
        yield


def head_outputs(
    attentions: Iterable[MultiHeadAttention], call: Callable[[], object]
) -> dict[MultiHeadAttention, torch.Tensor]:
    """Return the output of each head at each position, for ``ablate_heads``.

    ``call`` runs the model on one batch. For each of the layers comes (batch, query_len, num_heads,
    head_dim): the outputs before ``out_proj``, without gradients, in its dtype, on its device.

    Raises:
        TypeError: one of the layers is no ``MultiHeadAttention``.
        ValueError: ``call`` did not run one of the layers, or ran it more than once.
    """
    attentions = list(attentions)
    seen: dict[MultiHeadAttention, list[torch.Tensor]] = {}
    with _watched(attentions, lambda layer, joined: seen.setdefault(layer, []).append(joined)):
        call()
    for attention in attentions:
        times = len(seen.get(attention, ()))
        if times != 1:
            raise ValueError(f"call must run each layer of attentions once, got {times} times")
    return {
        attention: joined.unflatten(-1, (attention.num_heads, attention.head_dim))
        for attention, (joined,) in seen.items()
    }


def mean_head_outputs(
    attentions: Iterable[MultiHeadAttention], call: Callable[[], object]
) -> dict[MultiHeadAttention, torch.Tensor]:
    """Return the mean output of each head over all texts and positions of reference inputs.

        layers = [block.attention for block in model.stack.blocks]
        means = mean_head_outputs(layers, lambda: model(tokens))

    ``call`` runs the model on the reference inputs, once or in several batches. For each of the
    layers comes (num_heads, head_dim): the means before ``out_proj``, without gradients, in float32
    or float64, on its device.

    Raises:
        TypeError: one of the layers is no ``MultiHeadAttention``.
        ValueError: ``call`` did not run one of the layers, or on no position.
    """
    sums: dict[MultiHeadAttention, torch.Tensor] = {}
    counts: dict[MultiHeadAttention, int] = {}

    def add(attention: MultiHeadAttention, joined: torch.Tensor) -> None:
        rows = joined.flatten(0, -2)  # (batch * query_len, d_model)
        rows = rows.to(torch.promote_types(rows.dtype, torch.float32))  # half would round the sum
        sums[attention] = sums.get(attention, 0) + rows.sum(dim=0)
        counts[attention] = counts.get(attention, 0) + len(rows)

    attentions = list(attentions)
    with _watched(attentions, add):
        call()
    if not all(counts.get(attention) for attention in attentions):
        raise ValueError("call must run each layer of attentions on at least one position")
    return {
        attention: (total / counts[attention]).view(attention.num_heads, attention.head_dim)
        for attention, total in sums.items()
    }


@contextmanager
def _watched(
    attentions: Iterable[MultiHeadAttention],
    note: Callable[[MultiHeadAttention, torch.Tensor], object],
) -> Iterator[None]:
    """Show ``note`` what each layer gives to its ``out_proj``, (batch, query_len, d_model)."""
    with ExitStack() as hooks, torch.no_grad():
        for attention in attentions:
            check_attention("attentions must hold", attention)

            def show(_, inputs, attention=attention):
                note(attention, inputs[0].detach())

            hooks.enter_context(attention.out_proj.register_forward_pre_hook(show))
        yield


def _gone(attention: MultiHeadAttention, numbers: Iterable[int]) -> torch.Tensor:
    """Return which heads are replaced, (num_heads,)."""
    check_attention("heads must map", attention)
    gone = torch.zeros(attention.num_heads, dtype=torch.bool)
    for number in numbers:
        if not 0 <= number < attention.num_heads:
            raise ValueError(f"heads must be between 0 and {attention.num_heads - 1}, got {number}")
        gone[number] = True
    return gone


@contextmanager
def _replaced(
    gone: Mapping[MultiHeadAttention, torch.Tensor],
    instead: Mapping[MultiHeadAttention, torch.Tensor] | None,
) -> Iterator[None]:
    with ExitStack() as hooks:
        for attention, heads in gone.items():
            new = torch.zeros(attention.d_model)
            if instead is not None:
                shape = (attention.num_heads, attention.head_dim)
                given = tuple(instead[attention].shape) if attention in instead else None
                if given is None or given[-2:] != shape or len(given) not in (2, 4):
                    raise ValueError(
                        f"instead must hold {shape}, or (batch, query_len) before it, for each "
                        f"layer, got {given}"
                    )
                new = instead[attention].flatten(-2)  # (d_model,) or (batch, query_len, d_model)
            # Head i owns head_dim columns: (d_model,), or (batch, 1, d_model).
            columns = heads.repeat_interleave(attention.head_dim, dim=-1)
            columns = columns[:, None] if columns.dim() == 2 else columns
            replace = partial(_replace, columns=columns, new=new)
            hooks.enter_context(attention.out_proj.register_forward_pre_hook(replace))
        yield


def _replace(_, inputs, columns: torch.Tensor, new: torch.Tensor):
    (joined,) = inputs  # (batch, query_len, d_model)
    if new.dim() > 1 and new.shape != joined.shape:
        raise ValueError(
            f"instead must come from texts of shape {tuple(joined.shape[:2])}, "
            f"got {tuple(new.shape[:2])}"
        )
    return (torch.where(columns.to(joined.device), new.to(joined), joined),)


def check_attention(wanted: str, attention: MultiHeadAttention) -> None:
    """Refuse another layer; the error begins with ``wanted``, such as "heads must map"."""
    if not isinstance(attention, MultiHeadAttention):
        raise TypeError(f"{wanted} MultiHeadAttention, got {type(attention).__name__}")
