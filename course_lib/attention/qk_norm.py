"""QK-norm: queries and keys of one length, so that no score can grow without bound.

Each head's queries and keys go through an RMSNorm with learned gains before rotary positions turn
them (Henry et al. 2020, arXiv 2010.04245, with another norm; Dehghani et al. 2023, arXiv
2302.05442; as RMSNorm over head_dim in Gemma 3 and Qwen3, 2025). While the gains are 1, a scaled
score lies between -sqrt(head_dim) and sqrt(head_dim), whatever the weights of the projections are.
"""

import torch
from torch import nn

from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.validation import check_linear, check_number, check_positive


class NormedProjection(nn.Linear):
    """A linear map whose output is normalised head by head, with the same gains for all heads.

    Args:
        in_features, out_features, bias, device, dtype: as in ``nn.Linear``; ``out_features`` is
            those of all heads.
        head_dim: features of a head; must divide ``out_features``.
        eps: added to the mean square.

    Raises:
        TypeError, ValueError: the sizes are not positive integers, or ``head_dim`` does not divide
            ``out_features``.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        head_dim: int,
        *,
        bias: bool = True,
        eps: float = 1e-6,
        device=None,
        dtype=None,
    ):
        check_positive(in_features=in_features, out_features=out_features, head_dim=head_dim)
        check_number(eps=eps)
        if out_features % head_dim:
            raise ValueError(f"head_dim must divide out_features {out_features}, got {head_dim}")
        super().__init__(in_features, out_features, bias=bias, device=device, dtype=dtype)
        self.norm = nn.RMSNorm(head_dim, eps=eps, device=device, dtype=dtype)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map (..., in_features) to (..., out_features)."""
        heads = super().forward(x).unflatten(-1, (-1, self.norm.normalized_shape[0]))
        return self.norm(heads).flatten(-2)


def add_qk_norm(attention: MultiHeadAttention, *, eps: float = 1e-6) -> MultiHeadAttention:
    """Give a layer QK-norm, in place: its projections keep their weights, and their heads a norm.

    Henry et al. 2020; Dehghani et al. 2023. Rotary positions come after the norm, and a cache holds
    normalised keys.

    Args:
        attention: its ``q_proj`` and ``k_proj`` are exchanged.
        eps: of the norms.

    Returns:
        The same layer.

    Raises:
        ValueError: it has QK-norm already, or a projection is no ``nn.Linear`` itself.
    """
    projections = {name: getattr(attention, name) for name in ("q_proj", "k_proj")}
    if any(isinstance(plain, NormedProjection) for plain in projections.values()):
        raise ValueError("attention must have no QK-norm yet, got a layer that has it")
    check_linear(**projections)
    check_number(eps=eps)
    for name, plain in projections.items():
        normed = NormedProjection(
            plain.in_features,
            plain.out_features,
            attention.head_dim,
            bias=plain.bias is not None,
            eps=eps,
            device=plain.weight.device,
            dtype=plain.weight.dtype,
        )
        normed.weight, normed.bias = plain.weight, plain.bias
        setattr(attention, name, normed)
    return attention
