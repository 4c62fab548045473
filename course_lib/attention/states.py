"""What layers share whose only memory is a state of fixed size: ``linear`` and ``delta_rule``."""

from typing import Any

import torch
from torch import nn

from course_lib.attention.multi_head import join_heads, split_heads
from course_lib.validation.layer_inputs import (
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


class StateAttention(nn.Module):
    """Self-attention with several heads whose memory is a state, causal always.

    ``LinearAttention`` and ``DeltaAttention`` say how a head attends, and add ``out_proj``. Both
    can stand where a ``TransformerBlock`` has its ``attention``.

    Args:
        d_model: features of each token, in and out.
        num_heads: number of heads; must divide ``d_model``.
        key_dim: features of each head's queries and keys; d_model / num_heads when it is None. The
            state of a head has key_dim * d_model / num_heads numbers.
        chunk_len: tokens that are computed in parallel. It changes the cost and not the result.
        device, dtype: of the parameters.

    Raises:
        TypeError, ValueError: a size is not a positive integer, or ``num_heads`` does not divide
            ``d_model``.
    """

    out_proj: nn.Linear  # made by each kind, behind what else it has

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        *,
        key_dim: int | None = None,
        chunk_len: int = 64,
        device=None,
        dtype=None,
    ):
        super().__init__()
        check_positive(chunk_len=chunk_len, d_model=d_model, num_heads=num_heads)
        check_heads(d_model, num_heads)
        key_dim = d_model // num_heads if key_dim is None else key_dim
        check_positive(key_dim=key_dim)
        self.d_model, self.num_heads, self.chunk_len = d_model, num_heads, chunk_len
        options = {"bias": False, "device": device, "dtype": dtype}
        self.q_proj = nn.Linear(d_model, num_heads * key_dim, **options)
        self.k_proj = nn.Linear(d_model, num_heads * key_dim, **options)
        self.v_proj = nn.Linear(d_model, d_model, **options)

    def make_cache(self, batch_size: int, max_len: int) -> StateCache:
        """Return an empty cache; its state takes all sizes from the tokens that come."""
        return StateCache()

    def forward(
        self,
        query: torch.Tensor,
        *,
        mask: torch.Tensor | None = None,
        is_causal: bool = True,
        need_weights: bool = False,
        cache: StateCache | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Attend from each position to itself and the earlier ones.

        Args:
            query: (batch, length, d_model).
            mask: None, since a state cannot leave a key out for one query and not for another.
            is_causal: True, since the state holds what came before.
            need_weights: also return the weights, which takes memory length x length per head; not
                together with a cache, and not where there are none, as in the delta rule.
            cache: holds the state of the tokens before, and then with these.

        Returns:
            output (batch, length, d_model), and the weights (batch, num_heads, length, length) or
            None.

        Raises:
            TypeError, ValueError: the inputs do not fit, or ask for what the layer cannot do.
        """
        check_sequences(query, query, query, self.q_proj, self.d_model)
        if mask is not None:
            raise ValueError(
                "mask must be None: a state cannot leave a key out for some queries only, got a "
                "mask"
            )
        if not is_causal:
            raise ValueError("is_causal must be True: a state holds what came before, got False")
        if need_weights and cache is not None:
            raise ValueError("need_weights must be False with a cache, got True")
        q, k, v = (  # (batch, num_heads, length, features)
            split_heads(projection(query), self.num_heads)
            for projection in (self.q_proj, self.k_proj, self.v_proj)
        )
        state = None if cache is None else cache.state
        heads, weights, state = self._attend(query, q, k, v, state, need_weights)
        output = self.out_proj(join_heads(heads))
        if cache is not None:
            cache.state, cache.length = state, cache.length + query.shape[1]
        return output, weights

    def _attend(self, query, q, k, v, state, need_weights):
        """Return what the heads give out, their weights or None, and the state."""
        raise NotImplementedError
