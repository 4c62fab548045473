"""One attention head with its own three matrices, as in the lesson on single-head attention."""

import torch
from torch import nn

from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.validation.layer_inputs import check_positive, check_sequences


class SingleHead(nn.Module):
    """One head: three learned projections around scaled dot-product attention.

    Several of these side by side are multi-head attention (Vaswani et al. 2017, section 3.2.2);
    ``conversion.py`` copies the same numbers from one form to the other.

    Args:
        d_model: features of each input token.
        head_dim: features of the head's queries, keys and values.
        bias: whether the projections have one.
        device, dtype: of the parameters.

    Raises:
        TypeError, ValueError: a size is not a positive integer.
    """

    def __init__(self, d_model: int, head_dim: int, *, bias: bool = True, device=None, dtype=None):
        super().__init__()
        check_positive(d_model=d_model, head_dim=head_dim)
        options = {"bias": bias, "device": device, "dtype": dtype}
        self.d_model = d_model
        self.q_proj = nn.Linear(d_model, head_dim, **options)
        self.k_proj = nn.Linear(d_model, head_dim, **options)
        self.v_proj = nn.Linear(d_model, head_dim, **options)

    def forward(
        self,
        query: torch.Tensor,
        key: torch.Tensor | None = None,
        *,
        mask: torch.Tensor | None = None,
        is_causal: bool = False,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Attend from ``query`` to ``key``, or to itself when ``key`` is None.

        Args:
            query: (batch, query_len, d_model).
            key: (batch, key_len, d_model); the values are made from it too.
            mask: boolean, broadcastable to (batch, query_len, key_len). True = may attend.
            is_causal: hide later positions, the last query being aligned with the last key.

        Returns:
            output (batch, query_len, head_dim) and weights (batch, query_len, key_len).

        Raises:
            TypeError, ValueError: the inputs or the mask do not fit.
        """
        key = query if key is None else key
        check_sequences(query, key, key, self.q_proj, self.d_model)
        return scaled_dot_product_attention(
            self.q_proj(query), self.k_proj(key), self.v_proj(key), mask=mask, is_causal=is_causal
        )
