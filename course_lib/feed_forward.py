"""The feed-forward network of a transformer block: what each position computes alone."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.validation import check_positive, check_probability

ACTIVATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {"relu": F.relu, "gelu": F.gelu}


class FeedForward(nn.Module):
    """Two linear maps with an activation between them, applied to each position alone.

    Vaswani et al. 2017, equation 2. Dropout falls on the hidden features only; the block that
    holds it drops the output, once.

    Args:
        d_model: features in and out.
        d_ff: hidden features.
        activation: "relu" or "gelu".
        dropout: probability of dropping a hidden feature in training.
        bias: whether the linear maps have one.
        device, dtype: of the parameters.

    Raises:
        TypeError, ValueError: a size is not a positive integer, or no such activation.
    """

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        *,
        activation: str = "gelu",
        dropout: float = 0.0,
        bias: bool = True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        check_positive(d_model=d_model, d_ff=d_ff)
        check_probability("dropout", dropout)
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation must be one of {list(ACTIVATIONS)}, got {activation!r}")
        self.activation = activation
        options = {"bias": bias, "device": device, "dtype": dtype}
        self.up_proj = nn.Linear(d_model, d_ff, **options)
        self.down_proj = nn.Linear(d_ff, d_model, **options)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (..., d_model) for x of (..., d_model)."""
        hidden = ACTIVATIONS[self.activation](self.up_proj(x))  # (..., d_ff)
        return self.down_proj(self.dropout(hidden))
