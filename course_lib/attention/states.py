"""What layers share whose only memory is a state of fixed size: ``linear`` and ``delta_rule``."""

from typing import Any

import torch
from torch import nn

from course_lib.attention.multi_head import split_heads
from course_lib.validation import (
    check_device,
    check_floating,
    check_heads,
    check_positive,
    check_sequences,
)


class StateCache:
    """What a layer with a state keeps from call to call, in place of keys and values.

    Attributes:
        state: None before the first token.
        length: how many tokens went in.
    """

    def __init__(self) -> None:
        self.state: Any = None
        self.length = 0

    @property
    def nbytes(self) -> int:
        """Bytes of the state: 0 before the first token, and the same after each that follows."""
        if self.state is None:
            return 0
        parts = (self.state,) if isinstance(self.state, torch.Tensor) else self.state
        return sum(part.nbytes for part in parts)


def head_projections(
    d_model: int, num_heads: int, key_dim: int | None, *, device=None, dtype=None
) -> tuple[nn.Linear, nn.Linear, nn.Linear]:
    """Return the projections to queries, keys and values of all heads, without a bias.

    A value has d_model / num_heads features, and so has a query where ``key_dim`` is None.

    Raises:
        TypeError, ValueError: a size is not a positive integer, or ``num_heads`` does not divide
            ``d_model``.
    """
    check_positive(d_model=d_model, num_heads=num_heads)
    check_heads(d_model, num_heads)
    key_dim = d_model // num_heads if key_dim is None else key_dim
    check_positive(key_dim=key_dim)
    options = {"bias": False, "device": device, "dtype": dtype}
    return (
        nn.Linear(d_model, num_heads * key_dim, **options),
        nn.Linear(d_model, num_heads * key_dim, **options),
        nn.Linear(d_model, d_model, **options),
    )


def project_to_heads(
    layer: Any, query: torch.Tensor, mask: torch.Tensor | None, is_causal: bool
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the queries, keys and values of a layer's heads, (batch, num_heads, length, features).

    Raises:
        TypeError, ValueError: the inputs do not fit, or ask for what a state cannot do: to leave a
            key out for some queries only, or to hold what comes later.
    """
    check_sequences(query, query, query, layer.q_proj, layer.d_model)
    if mask is not None:
        raise ValueError(
            "mask must be None: a state cannot leave a key out for some queries only, got a mask"
        )
    if not is_causal:
        raise ValueError("is_causal must be True: a state holds what came before, got False")
    q, k, v = (
        split_heads(projection(query), layer.num_heads)
        for projection in (layer.q_proj, layer.k_proj, layer.v_proj)
    )
    return q, k, v


def as_one_token(**vectors: torch.Tensor) -> list[torch.Tensor]:
    """Return vectors (..., features) as sequences of one token, (..., 1, features)."""
    for name, vector in vectors.items():
        check_floating(name, vector)
        if vector.dim() < 1:
            raise ValueError(f"{name} must have shape (..., features), got ()")
    return [vector[..., None, :] for vector in vectors.values()]


def state_or_zeros(
    name: str, state: torch.Tensor | None, shape: tuple[int, ...], like: torch.Tensor
) -> torch.Tensor:
    """Return the state, or zeros of this shape when it is None, in the dtype of ``like``.

    Raises:
        TypeError, ValueError: it has another shape, or another dtype or device than ``like``.
    """
    if state is None:
        return like.new_zeros(shape)
    check_floating(name, state)
    if state.shape != shape:
        raise ValueError(f"{name} must have shape {tuple(shape)}, got {tuple(state.shape)}")
    if state.dtype != like.dtype:
        raise TypeError(f"{name} must have the dtype {like.dtype}, got {state.dtype}")
    check_device(name, state, like, "the")
    return state
