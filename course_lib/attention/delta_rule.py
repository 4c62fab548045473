"""The delta rule: a state that is written by correcting what it says already.

Linear attention only adds: a second value under the same key lies on top of the first, and both
come out. The delta rule reads what the key gives now, and adds what is missing (Widrow and Hoff
1960; Schlag et al. 2021, arXiv 2102.11174; in parallel, Yang et al. 2024, arXiv 2406.06484). With
beta_t in 0 to 1 for how much of it is corrected, and with rows for vectors,

    S_t = S_{t-1} + beta_t k_t^T (v_t - k_t S_{t-1}),     output_t = q_t S_t.

A decay alpha_t in 0 to 1 forgets a part of everything first (Gated DeltaNet, Yang, Kautz and
Hatamizadeh 2025, arXiv 2412.06464): alpha_t S_{t-1} takes the place of S_{t-1}. Keys are to have
length 1: then a beta of 1 makes k_t S_t equal to v_t.
"""

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.attention import states
from course_lib.validation.layer_inputs import (
    check_device,
    check_floating,
    check_positive,
    check_same_length,
)


def delta_rule_step(
    state: torch.Tensor | None,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    beta: torch.Tensor,
    decay: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Correct what the state says under one key, then read it with the query.

    Args:
        state: as in ``delta_rule``.
        query, key: (..., key_dim), of one token; the key of length 1.
        value: (..., value_dim).
        beta: (...), how much is corrected: 0 nothing, 1 all.
        decay: (...), what the state is multiplied by before: 1 forgets nothing, 0 all. None is 1.

    Returns:
        output (..., value_dim), and the new state (..., key_dim, value_dim). The old one is
        unchanged.

    Raises:
        TypeError, ValueError: the inputs or the state do not fit together.
    """
    q, k, v = states.as_one_token(query=query, key=key, value=value)
    check_floating("beta", beta)
    if decay is not None:
        check_floating("decay", decay)
        decay = decay[..., None]
    output, state = delta_rule(q, k, v, beta[..., None], decay, state=state)
    return output[..., 0, :], state


def delta_rule(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    beta: torch.Tensor,
    decay: torch.Tensor | None = None,
    *,
    state: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The delta rule as a recurrence, token by token (Schlag et al. 2021).

        S_t = decay_t S_{t-1} + beta_t k_t^T (v_t - decay_t k_t S_{t-1}),    output_t = q_t S_t

    The state is kept in float32 where the inputs are float16 or bfloat16.

    Args:
        query, key: (..., length, key_dim), with any leading dimensions (batch, heads, ...).
        value: (..., length, value_dim), the same leading dimensions.
        beta: (..., length).
        decay: (..., length); None forgets nothing.
        state: (..., key_dim, value_dim), of the tokens before; None when there are none.

    Returns:
        output (..., length, value_dim), and the state after the last token.

    Raises:
        TypeError, ValueError: the inputs or the state do not fit together.
    """
    q, k, v, beta, decay, state = _prepare(query, key, value, beta, decay, state)
    outputs = []
    for t in range(k.shape[-2]):
        k_t, v_t = k[..., [t], :], v[..., [t], :]  # one row each
        state = decay[..., t, None, None] * state
        state = state + k_t.mT @ (beta[..., t, None, None] * (v_t - k_t @ state))
        outputs.append(q[..., [t], :] @ state)
    output = torch.cat(outputs, dim=-2) if outputs else v
    return output.to(query.dtype), state


def delta_rule_chunks(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    beta: torch.Tensor,
    decay: torch.Tensor | None = None,
    *,
    chunk_len: int = 64,
    state: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same in chunks of matrix products, one after the other, as it is trained.

    What a token writes depends on what those before it wrote. Within a chunk, these corrections u
    are the solution of one triangular system (Yang et al. 2024, section 3.2; with decay, Yang,
    Kautz and Hatamizadeh 2025, section 3.3). With G_t the product of the decays since the chunk
    began and S the state before it,

        u_t + beta_t sum_{i<t} (G_t / G_i) (k_t . k_i) u_i = beta_t (v_t - G_t k_t S).

    Args:
        query, key, value, beta, decay, state: as in ``delta_rule``.
        chunk_len: tokens in a chunk. It changes the cost and not the result.

    Returns:
        output (..., length, value_dim), and the state after the last token.

    Raises:
        TypeError, ValueError: the inputs, the state or ``chunk_len`` do not fit.
    """
    check_positive(chunk_len=chunk_len)
    q, k, v, beta, decay, state = _prepare(query, key, value, beta, decay, state)
    outputs = []
    for start in range(0, k.shape[-2], chunk_len):
        chunk = slice(start, start + chunk_len)
        q_i, k_i, v_i = q[..., chunk, :], k[..., chunk, :], v[..., chunk, :]
        beta_i, decay_i = beta[..., chunk, None], decay[..., chunk]
        # since_start[t] is G_t, and between[t, i] is G_t / G_i for i <= t, without a division.
        since_start = decay_i.cumprod(dim=-1)[..., None]  # (..., chunk_len, 1)
        ones = torch.ones(*2 * k_i.shape[-2:-1], dtype=torch.bool, device=k.device)
        later = decay_i[..., None].where(ones.tril(diagonal=-1), 1.0)
        between = later.cumprod(dim=-2).tril()  # (..., chunk_len, chunk_len)

        system = (beta_i * between * (k_i @ k_i.mT)).tril(diagonal=-1)
        right = beta_i * (v_i - since_start * (k_i @ state))  # (..., chunk_len, value_dim)
        # With unitriangular, the diagonal counts as ones.
        written = torch.linalg.solve_triangular(system, right, upper=False, unitriangular=True)

        outputs.append(since_start * (q_i @ state) + (between * (q_i @ k_i.mT)) @ written)
        kept = between[..., -1, :, None] * k_i  # what the end of the chunk still has of each key
        state = since_start[..., -1:, :] * state + kept.mT @ written
    output = torch.cat(outputs, dim=-2) if outputs else v
    return output.to(query.dtype), state


class DeltaAttention(states.StateAttention):
    """Several heads that each write a state by the delta rule.

    As DeltaNet (Yang et al. 2024): queries and keys go through SiLU and get length 1, a sigmoid of
    the token says how much is corrected, and an RMSNorm follows each head. With ``decay`` it is
    the Gated DeltaNet's rule. What these have besides, a short convolution before the heads and a
    gate behind them, is left out. It has no weights, since what is written depends on what is
    there: ``need_weights`` must be False.

    Args:
        d_model, num_heads, key_dim, chunk_len, device, dtype: as in ``StateAttention``.
        decay: whether each token also says how much of the state is kept; at first about 0.98.

    Raises:
        TypeError, ValueError: as ``StateAttention``.
    """

    def __init__(
        self, d_model: int, num_heads: int, *, decay=False, device=None, dtype=None, **options
    ):
        super().__init__(d_model, num_heads, device=device, dtype=dtype, **options)
        factory = {"device": device, "dtype": dtype}
        self.beta_proj = nn.Linear(d_model, num_heads, **factory)
        self.decay_proj = nn.Linear(d_model, num_heads, **factory) if decay else None
        if self.decay_proj is not None:
            nn.init.constant_(self.decay_proj.bias, 4.0)  # sigmoid(4) = 0.98
        self.head_norm = nn.RMSNorm(d_model // num_heads, eps=1e-6, **factory)
        self.out_proj = nn.Linear(d_model, d_model, bias=False, **factory)

    def _attend(self, query, q, k, v, state, need_weights):
        if need_weights:
            raise ValueError("need_weights must be False: the delta rule has no weights, got True")
        # Under autocast the norms come in float32: hence the casts.
        q, k = (F.normalize(F.silu(x), dim=-1).to(x.dtype) for x in (q, k))
        beta = self.beta_proj(query).sigmoid().transpose(1, 2)  # (batch, num_heads, length)
        decay = None
        if self.decay_proj is not None:
            decay = self.decay_proj(query).sigmoid().transpose(1, 2)
        heads, state = delta_rule_chunks(
            q, k, v, beta, decay, chunk_len=self.chunk_len, state=state
        )
        return self.head_norm(heads), None, state


def _prepare(query, key, value, beta, decay, state):
    """Check the inputs, and return all of them in the dtype in which the state is kept."""
    check_same_length(query, key, value)
    decay = torch.ones_like(key[..., 0]) if decay is None else decay
    for name, x in (("beta", beta), ("decay", decay)):
        check_floating(name, x)
        check_device(name, x, query, "query's")
        if x.shape != key.shape[:-1]:
            raise ValueError(
                f"{name} must have shape {tuple(key.shape[:-1])}, got {tuple(x.shape)}"
            )
    exact = torch.promote_types(query.dtype, torch.float32)
    q, k, v, beta, decay = (x.to(exact) for x in (query, key, value, beta, decay))
    state = states.state_or_zeros("state", state, (*k.shape[:-2], k.shape[-1], v.shape[-1]), k)
    return q, k, v, beta, decay, state
