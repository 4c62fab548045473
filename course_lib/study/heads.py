"""What heads do, as numbers: where they look, how sharply, and what breaks without them.

Weights are (batch, num_heads, query_len, key_len), as ``MultiHeadAttention`` returns them with
``need_weights=True`` (in eval mode). Each score has one number per head: (num_heads,).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

import torch

from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.validation import check_floating


def attention_entropy(weights: torch.Tensor) -> torch.Tensor:
    """Return the entropy of each query's weights in nats: 0 for one key, log(n) for n equal ones.

    Args:
        weights: (..., query_len, key_len), rows that sum to 1 (or to 0, which gives 0).

    Returns:
        (..., query_len), in the dtype of the weights.

    Raises:
        TypeError: the weights are no floating tensor.
    """
    check_floating("weights", weights)
    return -torch.xlogy(weights, weights).sum(dim=-1)


def maximum_entropy(mask: torch.Tensor) -> torch.Tensor:
    """Return the entropy that equal weights on all allowed keys would have: log(allowed keys).

    Args:
        mask: (..., query_len, key_len), boolean, True = may attend.

    Returns:
        (..., query_len), float32; 0 where no key or one key is allowed.

    Raises:
        TypeError: the mask is not boolean.
    """
    if mask.dtype != torch.bool:
        raise TypeError(f"mask must be boolean with True = may attend, got {mask.dtype}")
    return mask.sum(dim=-1).clamp(min=1).float().log()


def entropy_score(weights: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """Return each head's entropy as a share of its maximum: near 1, it looks everywhere alike.

    Queries with fewer than two allowed keys have no choice and do not count.

    Args:
        weights: (batch, num_heads, query_len, key_len).
        mask: the mask that made them, broadcastable to them; None allowed all keys.

    Returns:
        (num_heads,), from 0 to 1; NaN where no query had a choice.

    Raises:
        TypeError, ValueError: the weights do not fit, or the mask is not boolean.
        RuntimeError: the mask does not broadcast to the weights.
    """
    _check_weights(weights)
    mask = torch.ones_like(weights, dtype=torch.bool) if mask is None else mask
    maximum = maximum_entropy(mask.expand(weights.shape))  # (batch, num_heads, query_len)
    has_choice = maximum > 0
    share = attention_entropy(weights) / maximum.masked_fill(~has_choice, 1.0)
    return _mean_over(share, has_choice)


def offset_score(weights: torch.Tensor, offset: int) -> torch.Tensor:
    """Return the mean weight on the key at query + offset: -1 previous, 0 same, 1 next token.

    Args:
        weights: (batch, num_heads, query_len, key_len); positions counted from the end when the
            lengths differ, as with a cache.
        offset: how far from the query the key is.

    Returns:
        (num_heads,): the mean over the queries that have such a key; NaN if none has.

    Raises:
        TypeError, ValueError: the weights do not fit.
    """
    _check_weights(weights)
    query_len, key_len = weights.shape[-2:]
    diagonal = weights.diagonal(key_len - query_len + offset, dim1=-2, dim2=-1)
    return diagonal.mean(dim=(0, 2))  # (batch, num_heads, pairs) -> (num_heads,)


def previous_token_score(weights: torch.Tensor) -> torch.Tensor:
    """Return the mean weight on the previous token, (num_heads,); see ``offset_score``."""
    return offset_score(weights, -1)


def next_token_score(weights: torch.Tensor) -> torch.Tensor:
    """Return the mean weight on the next token, (num_heads,); see ``offset_score``."""
    return offset_score(weights, 1)


def same_token_score(weights: torch.Tensor) -> torch.Tensor:
    """Return the mean weight on the token itself, (num_heads,); see ``offset_score``."""
    return offset_score(weights, 0)


def first_token_score(weights: torch.Tensor) -> torch.Tensor:
    """Return the mean weight on the first key, (num_heads,), over queries after the first.

    Raises:
        TypeError, ValueError: the weights do not fit.
    """
    _check_weights(weights)
    return weights[:, :, 1:, 0].mean(dim=(0, 2))


def target_score(weights: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Return the mean, over queries that have a target, of the weight on all their targets.

    Args:
        weights: (batch, num_heads, query_len, key_len).
        targets: boolean (batch, query_len, key_len), True = this key is a target of this query.

    Returns:
        (num_heads,); NaN where no query has a target.

    Raises:
        TypeError, ValueError: the weights or targets do not fit.
    """
    _check_weights(weights)
    batch, _, query_len, key_len = weights.shape
    if targets.dtype != torch.bool:
        raise TypeError(f"targets must be boolean, got {targets.dtype}")
    if targets.shape != (batch, query_len, key_len):
        raise ValueError(
            f"targets must have shape {(batch, query_len, key_len)}, got {tuple(targets.shape)}"
        )
    on_targets = (weights * targets[:, None]).sum(dim=-1)  # (batch, num_heads, query_len)
    return _mean_over(on_targets, targets.any(dim=-1)[:, None].expand(on_targets.shape))


def induction_targets(tokens: torch.Tensor) -> torch.Tensor:
    """Return which keys an induction head looks at: those right after an earlier equal token.

    In "A B C A", the last A has B as target: what followed A before (Olsson et al. 2022).

    Args:
        tokens: (batch, length), integers.

    Returns:
        Boolean (batch, length, length), True = this key is a target of this query.

    Raises:
        ValueError: the tokens do not have two dimensions.
    """
    if tokens.dim() != 2:
        raise ValueError(f"tokens must have shape (batch, length), got {tuple(tokens.shape)}")
    equal = tokens[:, :, None] == tokens[:, None, :]  # (batch, query, earlier token)
    earlier = equal.tril(diagonal=-1)
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = earlier[:, :, :-1]
    return targets


def induction_score(weights: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Return the mean weight on the induction targets, (num_heads,), over queries that have one.

    Args:
        weights: (batch, num_heads, length, length).
        tokens: (batch, length), the tokens that the weights belong to.

    Raises:
        TypeError, ValueError: the weights or tokens do not fit.
    """
    return target_score(weights, induction_targets(tokens))


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
    hooks = []
    try:
        for attention, numbers in heads.items():
            replace = _replacing(attention, numbers, instead)
            hooks.append(attention.out_proj.register_forward_pre_hook(replace))
        yield
    finally:
        for hook in hooks:
            hook.remove()


def head_outputs(
    attentions: Iterable[MultiHeadAttention], call: Callable[[], object]
) -> dict[MultiHeadAttention, torch.Tensor]:
    """Return the output of each head at each position, for ``ablate_heads``.

    Args:
        attentions: the layers to watch.
        call: runs the model on one batch.

    Returns:
        For each layer (batch, query_len, num_heads, head_dim): the outputs before ``out_proj``,
        without gradients, in the layer's dtype and on its device.

    Raises:
        TypeError: one of the layers is no ``MultiHeadAttention``.
        ValueError: ``call`` did not run one of the layers, or ran it more than once.
    """
    attentions = list(attentions)
    found: dict[MultiHeadAttention, list[torch.Tensor]] = {}
    with _watched(attentions, lambda layer, joined: found.setdefault(layer, []).append(joined)):
        call()
    for attention in attentions:
        times = len(found.get(attention, ()))
        if times != 1:
            raise ValueError(f"call must run each layer of attentions once, got {times} times")
    return {
        attention: joined.unflatten(-1, (attention.num_heads, attention.head_dim))
        for attention, (joined,) in found.items()
    }


def mean_head_outputs(
    attentions: Iterable[MultiHeadAttention], call: Callable[[], object]
) -> dict[MultiHeadAttention, torch.Tensor]:
    """Return the mean output of each head over all texts and positions of reference inputs.

        layers = [block.attention for block in model.stack.blocks]
        means = mean_head_outputs(layers, lambda: model(tokens))

    Args:
        attentions: the layers to watch.
        call: runs the model on the reference inputs, once or in several batches.

    Returns:
        For each layer (num_heads, head_dim): the means before ``out_proj``, without gradients, in
        float32 or float64, on the layer's device.

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
    hooks = []
    try:
        for attention in attentions:
            _check_attention("attentions must hold", attention)
            hooks.append(
                attention.out_proj.register_forward_pre_hook(
                    lambda _, inputs, attention=attention: note(attention, inputs[0].detach())
                )
            )
        with torch.no_grad():
            yield
    finally:
        for hook in hooks:
            hook.remove()


def _replacing(
    attention: MultiHeadAttention,
    numbers: Iterable[int],
    instead: Mapping[MultiHeadAttention, torch.Tensor] | None,
):
    _check_attention("heads must map", attention)
    gone = torch.zeros(attention.num_heads, dtype=torch.bool)
    for number in numbers:
        if not 0 <= number < attention.num_heads:
            raise ValueError(f"heads must be between 0 and {attention.num_heads - 1}, got {number}")
        gone[number] = True
    gone = gone.repeat_interleave(attention.head_dim)  # (d_model,): head i owns head_dim columns
    new = torch.zeros(attention.d_model)
    if instead is not None:
        shape = (attention.num_heads, attention.head_dim)
        found = tuple(instead[attention].shape) if attention in instead else None
        if found is None or found[-2:] != shape or len(found) not in (2, 4):
            raise ValueError(
                f"instead must hold {shape}, or (batch, query_len) before it, for each layer, "
                f"got {found}"
            )
        new = instead[attention].flatten(-2)  # (d_model,) or (batch, query_len, d_model)

    def replace(_, inputs):
        (joined,) = inputs  # (batch, query_len, d_model)
        if new.dim() > 1 and new.shape != joined.shape:
            raise ValueError(
                f"instead must come from texts of shape {tuple(joined.shape[:2])}, "
                f"got {tuple(new.shape[:2])}"
            )
        return (torch.where(gone.to(joined.device), new.to(joined), joined),)

    return replace


def _check_attention(wanted: str, attention: MultiHeadAttention) -> None:
    if not isinstance(attention, MultiHeadAttention):
        raise TypeError(f"{wanted} MultiHeadAttention, got {type(attention).__name__}")


def _check_weights(weights: torch.Tensor) -> None:
    check_floating("weights", weights)
    if weights.dim() != 4:
        raise ValueError(
            "weights must have shape (batch, num_heads, query_len, key_len), "
            f"got {tuple(weights.shape)}"
        )


def _mean_over(values: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """Mean of (batch, num_heads, query_len) where ``counts`` is True, for each head."""
    total = values.masked_fill(~counts, 0.0).sum(dim=(0, 2))
    return total / counts.sum(dim=(0, 2))
