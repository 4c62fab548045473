"""Attention without a softmax: the same sum in three orders, and a state that does not grow.

Follows Katharopoulos et al. 2020, "Transformers are RNNs", sections 3.2 to 3.4. The weight of key j
for query i is phi(q_i) . phi(k_j), divided by the sum of these over the keys. A softmax needs the
whole row of scores before it can give one weight; these products can be summed in any order:

    in parallel    output_i = sum_j (phi(q_i) . phi(k_j)) v_j / sum_j phi(q_i) . phi(k_j)
    step by step   S_i = S_{i-1} + phi(k_i)^T v_i,   z_i = z_{i-1} + phi(k_i),
                   output_i = phi(q_i) S_i / (phi(q_i) . z_i)
    in chunks      in parallel within a chunk, and step by step from chunk to chunk

S and z are the state: key_dim * value_dim + key_dim numbers per head, however long the text is. All
forms here are causal: query i sees the keys 0 to i.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.attention import states
from course_lib.validation.layer_inputs import check_positive, check_same_length

FeatureMap = Callable[[torch.Tensor], torch.Tensor]


class LinearState(NamedTuple):
    """What is kept of all tokens so far.

    Attributes:
        memory: (..., key_dim, value_dim), the sum of phi(key)^T value; phi is the feature map.
        total: (..., key_dim), the sum of phi(key).
    """

    memory: torch.Tensor
    total: torch.Tensor


def elu_plus_one(x: torch.Tensor) -> torch.Tensor:
    """The feature map of Katharopoulos et al. 2020: x + 1 above 0 and exp(x) below, so above 0."""
    return F.elu(x) + 1


def linear_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    feature_map: FeatureMap = elu_plus_one,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The parallel form: all weights at once, as attention does it, and causal.

    The weight of key j for query i is phi(q_i) . phi(k_j), divided by the sum of these over all
    j <= i (Katharopoulos et al. 2020, sections 3.2 and 3.3).

    Args:
        query: (..., length, head_dim), with any leading dimensions (batch, heads, ...).
        key: the same shape.
        value: (..., length, value_dim), the same leading dimensions.
        feature_map: phi, from (..., head_dim) to (..., key_dim), not below 0.

    Returns:
        output (..., length, value_dim) and weights (..., length, length). Each row of the weights
        sums to 1, or to 0 where all products are 0.

    Raises:
        TypeError, ValueError: the inputs do not fit together.
    """
    check_same_length(query, key, value)
    products = (feature_map(query) @ feature_map(key).mT).tril()  # (..., length, length)
    weights = products / _not_zero(products.sum(dim=-1, keepdim=True))
    return weights @ value, weights


def linear_attention_step(
    state: LinearState | None,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    feature_map: FeatureMap = elu_plus_one,
) -> tuple[torch.Tensor, LinearState]:
    """The recurrent form, one token of it: write its key and value, then read with its query.

    Args:
        state: of the tokens before; None when there are none.
        query, key: (..., head_dim), of one token.
        value: (..., value_dim).
        feature_map: as in ``linear_attention``.

    Returns:
        output (..., value_dim), and the state with this token in it. The old state is unchanged.

    Raises:
        TypeError, ValueError: the inputs or the state do not fit together.
    """
    q, k, v = states.as_one_token(query=query, key=key, value=value)
    output, state = linear_attention_chunks(
        q, k, v, chunk_len=1, state=state, feature_map=feature_map
    )
    return output[..., 0, :], state


def linear_attention_chunks(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    chunk_len: int = 64,
    state: LinearState | None = None,
    feature_map: FeatureMap = elu_plus_one,
) -> tuple[torch.Tensor, LinearState]:
    """The form for training and for long prompts: no table larger than chunk_len x chunk_len.

    Sums of float16 and bfloat16 are kept in float32: a state is added to at each step, and a
    rounding each time would add up.

    Args:
        query, key, value, feature_map: as in ``linear_attention``.
        chunk_len: tokens that are computed in parallel. It changes the cost and not the result.
        state: of the tokens before; None when there are none.

    Returns:
        output (..., length, value_dim), and the state after the last token.

    Raises:
        TypeError, ValueError: the inputs, the state or ``chunk_len`` do not fit.
    """
    check_same_length(query, key, value)
    check_positive(chunk_len=chunk_len)
    exact = torch.promote_types(query.dtype, torch.float32)
    q, k = feature_map(query.to(exact)), feature_map(key.to(exact))  # (..., length, key_dim)
    v = value.to(exact)
    memory, total = (None, None) if state is None else state
    shape = (*k.shape[:-2], k.shape[-1], v.shape[-1])
    memory = states.state_or_zeros("state.memory", memory, shape, k)
    total = states.state_or_zeros("state.total", total, shape[:-1], k)
    outputs = []
    for start in range(0, k.shape[-2], chunk_len):
        q_i, k_i, v_i = (x[..., start : start + chunk_len, :] for x in (q, k, v))
        products = (q_i @ k_i.mT).tril()  # (..., chunk_len, chunk_len)
        mixed = q_i @ memory + products @ v_i  # (..., chunk_len, value_dim)
        sums = q_i @ total[..., None] + products.sum(dim=-1, keepdim=True)
        outputs.append(mixed / _not_zero(sums))
        memory, total = memory + k_i.mT @ v_i, total + k_i.sum(dim=-2)
    output = torch.cat(outputs, dim=-2) if outputs else v
    return output.to(query.dtype), LinearState(memory, total)


class LinearAttention(states.StateAttention):
    """Self-attention with several heads and no softmax (Katharopoulos et al. 2020).

    Args:
        d_model, num_heads, key_dim, chunk_len, device, dtype: as in ``StateAttention``. The state
            of a head has key_dim numbers more, for the sums.

    Raises:
        TypeError, ValueError: as ``StateAttention``.
    """

    def __init__(self, d_model: int, num_heads: int, *, device=None, dtype=None, **options):
        super().__init__(d_model, num_heads, device=device, dtype=dtype, **options)
        self.out_proj = nn.Linear(d_model, d_model, bias=False, device=device, dtype=dtype)

    def _attend(self, query, q, k, v, state, need_weights):
        if need_weights:
            return *linear_attention(q, k, v), None
        heads, state = linear_attention_chunks(q, k, v, chunk_len=self.chunk_len, state=state)
        return heads, None, state


def _not_zero(sums: torch.Tensor) -> torch.Tensor:
    """1 where nothing was found: its numerator is 0 too, and 0 / 1 is the right 0."""
    return sums.masked_fill(sums == 0, 1.0)
