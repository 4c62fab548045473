"""The feed-forward network of a transformer block: what each position computes alone."""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.validation.layer_inputs import check_positive, check_probability

ACTIVATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": partial(F.gelu, approximate="tanh"),  # GPT-2; "gelu_new" in Hugging Face
    "silu": F.silu,
}


def make_dropout(probability: float) -> nn.Module:
    """Return ``nn.Dropout``, or where nothing is dropped a module that passes its input on.

    A model that writes calls it three times in each layer for each token (Srivastava et al. 2014).

    Args:
        probability: of dropping a number in training, 0 to 1.
    """
    return nn.Dropout(probability) if probability else nn.Identity()


class FeedForward(nn.Module):
    """Two linear maps with an activation between them, applied to each position alone.

    Vaswani et al. 2017, equation 2, where the activation is ReLU. With ``gated``, a third map makes
    a factor for each hidden feature, and the activation is the factor's (Shazeer 2020, GLU
    variants): with "silu" this is the SwiGLU of Llama. Three maps of 2/3 of the
    hidden features are as large as two.

        down(activation(up(x)))             gated: down(activation(gate(x)) * up(x))

    Dropout falls on the hidden features only; the block that holds it drops the output, once.

    Args:
        d_model: features in and out.
        d_ff: hidden features.
        activation: "relu", "gelu", "gelu_tanh" (GELU as GPT-2 approximates it) or "silu".
        gated: whether the hidden features are multiplied by a gate.
        dropout: probability of dropping a hidden feature in training.
        bias: whether the linear maps have one.
        device, dtype: of the parameters.

    Raises:
        TypeError, ValueError: a size is not a positive integer, ``dropout`` is not between 0 and 1,
            or there is no such activation.
    """

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        *,
        activation: str = "gelu",
        gated: bool = False,
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
        self.gate_proj = nn.Linear(d_model, d_ff, **options) if gated else None
        self.up_proj = nn.Linear(d_model, d_ff, **options)
        self.down_proj = nn.Linear(d_ff, d_model, **options)
        self.dropout = make_dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (..., d_model) for x of (..., d_model)."""
        activation, gate_proj = ACTIVATIONS[self.activation], self.gate_proj
        hidden = self.up_proj(x)  # (..., d_ff)
        hidden = activation(hidden) if gate_proj is None else activation(gate_proj(x)) * hidden
        return self.down_proj(self.dropout(hidden))
