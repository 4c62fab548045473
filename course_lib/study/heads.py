"""What heads do, as numbers: where they look, and how sharply.

Weights are (batch, num_heads, query_len, key_len), as ``MultiHeadAttention`` returns them with
``need_weights=True`` (in eval mode). A score refuses others by a TypeError or a ValueError, and has
one number per head: (num_heads,).
"""

import torch

from course_lib.validation.layer_inputs import (
    check_boolean,
    check_floating,
    check_integer,
    check_tokens,
)


def attention_entropy(weights: torch.Tensor) -> torch.Tensor:
    """Return the entropy of each query's weights in nats: 0 for one key, log(n) for n equal ones.

    Rows (..., query_len, key_len) that sum to 1, or to 0, which gives 0, become (..., query_len).

    Raises:
        TypeError: the weights are no floating tensor.
    """
    check_floating("weights", weights)
    return -torch.xlogy(weights, weights).sum(dim=-1)


def maximum_entropy(mask: torch.Tensor) -> torch.Tensor:
    """Return the entropy that equal weights on all allowed keys would have: log(allowed keys).

    A boolean mask (..., query_len, key_len), True = may attend, becomes (..., query_len), float32;
    0 where no key or one key is allowed.

    Raises:
        TypeError: the mask is not boolean.
    """
    check_boolean("mask", mask)
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
        TypeError: the mask is not boolean.
        RuntimeError: the mask does not broadcast to the weights.
    """
    _check_weights(weights)
    mask = torch.ones_like(weights, dtype=torch.bool) if mask is None else mask
    check_boolean("mask", mask)
    maximum = maximum_entropy(mask.expand(weights.shape))  # (batch, num_heads, query_len)
    has_choice = maximum > 0
    share = attention_entropy(weights) / maximum.masked_fill(~has_choice, 1.0)
    return _mean_over(share, has_choice)


def offset_score(weights: torch.Tensor, offset: int) -> torch.Tensor:
    """Return the mean weight on the key at query + offset: -1 previous, 0 same, 1 next token.

    Positions are counted from the end where the lengths differ, as with a cache.

    Returns:
        (num_heads,): the mean over the queries that have such a key; NaN if none has.
    """
    _check_weights(weights)
    check_integer("offset", offset)
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
    """Return the mean weight on the first key, (num_heads,), over queries after the first."""
    _check_weights(weights)
    return weights[:, :, 1:, 0].mean(dim=(0, 2))


def target_score(weights: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Return the mean, over queries that have a target, of the weight on all their targets.

    Args:
        weights: (batch, num_heads, query_len, key_len).
        targets: boolean (batch, query_len, key_len), True = this key is a target of this query.

    Returns:
        (num_heads,); NaN where no query has a target.
    """
    _check_weights(weights)
    batch, _, query_len, key_len = weights.shape
    check_boolean("targets", targets, "is a target")
    if targets.shape != (batch, query_len, key_len):
        raise ValueError(
            f"targets must have shape {(batch, query_len, key_len)}, got {tuple(targets.shape)}"
        )
    on_targets = (weights * targets[:, None]).sum(dim=-1)  # (batch, num_heads, query_len)
    return _mean_over(on_targets, targets.any(dim=-1)[:, None].expand(on_targets.shape))


def induction_targets(tokens: torch.Tensor) -> torch.Tensor:
    """Return which keys an induction head looks at: those right after an earlier equal token.

    In "A B C A", the last A has B as target: what followed A before (Olsson et al. 2022). Tokens
    (batch, length) give a boolean (batch, length, length), True = this key is the query's target.

    Raises:
        TypeError, ValueError: the tokens are no integers, or do not have two dimensions.
    """
    check_tokens("tokens", tokens)
    equal = tokens[:, :, None] == tokens[:, None, :]  # (batch, query, earlier token)
    earlier = equal.tril(diagonal=-1)
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = earlier[:, :, :-1]
    return targets


def induction_score(weights: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Return the mean weight on the induction targets, (num_heads,), over queries that have one.

    The weights (batch, num_heads, length, length) belong to the tokens (batch, length).
    """
    return target_score(weights, induction_targets(tokens))


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
