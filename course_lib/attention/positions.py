"""Positions: attention alone cannot tell the order of its inputs, these can."""

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.validation.layer_inputs import (
    check_even,
    check_features,
    check_not_negative,
    check_number,
    check_positions,
    check_positive,
)


def sinusoidal_table(length: int, d_model: int, *, offset: int = 0, device=None) -> torch.Tensor:
    """Return the sines and cosines of Vaswani et al. 2017, section 3.5.

    Of position p, feature 2i is the sine and feature 2i + 1 the cosine of p / 10000^(2i / d_model).

    Args:
        length: number of positions, 0 or more.
        d_model: number of features, even.
        offset: the first position.
        device: where the table is made.

    Returns:
        (length, d_model), float32.

    Raises:
        TypeError, ValueError: ``d_model`` is not a positive even integer, or another number is no
            integer of at least 0.
    """
    check_not_negative(length=length, offset=offset)
    check_positive(d_model=d_model)
    check_even("d_model", d_model)
    return _sines(torch.arange(offset, offset + length, device=device), d_model)


def _sines(positions: torch.Tensor, d_model: int) -> torch.Tensor:
    """Return the rows of the table at these positions: (..., d_model) for positions (...)."""
    speeds = _speeds(d_model, 10000.0, torch.float32, positions.device)
    angles = positions.float()[..., None] * speeds  # (..., d_model / 2)
    # (..., d_model / 2, 2) -> (..., d_model): sine and cosine take turns
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


def positions_behind_padding(mask: torch.Tensor) -> torch.Tensor:
    """Return the position of each token where a row begins with padding: its first token has 0.

    Args:
        mask: (batch, length), boolean, False = padding. Only the padding before a row's first True
            counts; behind it, each column is one position further.

    Returns:
        (batch, length), int64; 0 for the padding on the left.
    """
    padding = (~mask).long().cumprod(dim=1).sum(dim=1, keepdim=True)  # (batch, 1)
    return (torch.arange(mask.shape[1], device=mask.device) - padding).clamp(min=0)


class SinusoidalPositions(nn.Module):
    """Adds ``sinusoidal_table`` to a sequence; it has no parameters and no longest length.

    Args:
        d_model: features of each token, even.

    Raises:
        TypeError, ValueError: ``d_model`` is not a positive even integer.
    """

    def __init__(self, d_model: int):
        super().__init__()
        check_positive(d_model=d_model)
        check_even("d_model", d_model)
        self.d_model = d_model

    def forward(
        self, x: torch.Tensor, offset: int = 0, positions: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return x plus its positions.

        Args:
            x: (batch, length, d_model).
            offset: the position of the first token; with a cache, the number of tokens in it.
            positions: (batch, length), integers: the position of each token, where the sequences
                of a batch do not begin together. ``offset`` then does not count.

        Returns:
            (batch, length, d_model) in x's dtype; the positions are computed in float32.

        Raises:
            TypeError, ValueError: x or ``positions`` have another dtype or shape, or a position is
                below 0.
        """
        check_features("x", x, self.d_model)
        if positions is None:
            table = sinusoidal_table(x.shape[-2], self.d_model, offset=offset, device=x.device)
        else:
            check_positions(positions, x)
            table = _sines(positions, self.d_model)
        return x + table.to(x.dtype)  # (length, d_model) broadcasts over the batch


class LearnedPositions(nn.Module):
    """Adds a learned vector per position (Gehring et al. 2017, used by BERT and GPT-2).

    Args:
        max_len: number of positions that can be told apart.
        d_model: features of each token.
        std: standard deviation of the vectors at the start (0.02 as in BERT; GPT-2's own code has
            0.01 for positions and 0.02 for tokens).
        device, dtype: of the table.

    Raises:
        TypeError, ValueError: a size is not a positive integer.
    """

    def __init__(self, max_len: int, d_model: int, *, std: float = 0.02, device=None, dtype=None):
        super().__init__()
        check_positive(max_len=max_len, d_model=d_model)
        self.max_len, self.d_model = max_len, d_model
        self.weight = nn.Parameter(torch.empty(max_len, d_model, device=device, dtype=dtype))
        nn.init.normal_(self.weight, std=std)

    def forward(
        self, x: torch.Tensor, offset: int = 0, positions: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return x plus its positions, (batch, length, d_model).

        Args:
            x, offset, positions: as in ``SinusoidalPositions``.

        Raises:
            TypeError, ValueError: x or ``positions`` have another dtype or shape, or a position is
                not in the table.
        """
        check_features("x", x, self.d_model)
        if positions is not None:
            check_positions(positions, x, self.max_len)
            return x + F.embedding(positions, self.weight)  # (batch, length, d_model)
        end = offset + x.shape[-2]
        if offset < 0 or end > self.max_len:
            raise ValueError(
                f"x must lie within positions 0 to {self.max_len - 1} (max_len={self.max_len}), "
                f"got {offset} to {end - 1}"
            )
        return x + self.weight[offset:end]  # (length, d_model) broadcasts over the batch


def model_positions(
    kind: str, d_model: int, max_len: int | None, **factory
) -> LearnedPositions | SinusoidalPositions | None:
    """Return what adds the positions of this kind to a model's tokens; None where nothing does.

    Raises:
        ValueError: ``max_len`` is missing, and they are learned.
    """
    if kind == "learned":
        if max_len is None:
            raise ValueError("max_len must be given for learned positions, got None")
        return LearnedPositions(max_len, d_model, **factory)
    return SinusoidalPositions(d_model) if kind == "sinusoidal" else None


class Turns(NamedTuple):
    """Cosine and sine of each position's angles, (..., length, head_dim), the first of each pair
    with a negative sine."""

    cos: torch.Tensor
    sin: torch.Tensor


class RotaryEmbedding(nn.Module):
    """Turns queries and keys by an angle that grows with the position (Su et al. 2021, RoFormer).

    The score of a turned query and a turned key depends on their distance only. Each pair of
    features is a point in a plane; pair i of n turns by p / base^(i / n) at position p. Which
    features form a pair is a convention, and weights trained with one do not fit the other:

    - ``"halves"``: feature i and feature i + head_dim / 2 (GPT-NeoX, Llama in Hugging Face).
    - ``"interleaved"``: features 2i and 2i + 1 (the paper, GPT-J, Llama as Meta released it).

    A trained model reads longer texts with YaRN (Peng et al. 2023): ``stretch`` slows the pairs
    that do not get round once in ``trained_length`` positions by that factor, leaves those as they
    are that get round 32 times, and slows those between in part. Turned queries and keys are made
    longer by 1 + 0.1 ln(stretch) each, which sharpens the softmax.

    It has no parameters and no buffers: ``half()`` cannot round its angles.

    Args:
        head_dim: features of each query and key, even.
        base: the larger it is, the slower the slowest pair turns.
        pairing: ``"halves"`` or ``"interleaved"``.
        stretch: how many times as long as in the training texts are to be; 1 stretches nothing.
        trained_length: the longest text of the training; needed to stretch only.

    Raises:
        TypeError, ValueError: ``head_dim`` is not a positive even integer, ``base`` is not a
            positive number, there is no such pairing, ``stretch`` is below 1, or to stretch,
            ``trained_length`` is missing or ``base`` is not above 1.
    """

    def __init__(
        self,
        head_dim: int,
        *,
        base: float = 10000.0,
        pairing: str = "halves",
        stretch: float = 1.0,
        trained_length: int | None = None,
    ):
        super().__init__()
        check_positive(head_dim=head_dim)
        check_even("head_dim", head_dim)
        check_number(base=base)
        if not base > 0:
            raise ValueError(f"base must be a positive number, got {base}")
        if pairing not in ("halves", "interleaved"):
            raise ValueError(f"pairing must be 'halves' or 'interleaved', got {pairing!r}")
        check_number(stretch=stretch)
        if not stretch >= 1:
            raise ValueError(f"stretch must be 1 or more, got {stretch}")
        if trained_length is not None:
            check_positive(trained_length=trained_length)
        if stretch > 1:
            if trained_length is None:
                raise ValueError(f"trained_length must be given for stretch={stretch}, got None")
            if not base > 1:
                raise ValueError(f"base must be above 1 for stretch={stretch}, got {base}")
        self.head_dim, self.base, self.pairing = head_dim, base, pairing
        self.stretch, self.trained_length = stretch, trained_length

    def speeds(self, *, dtype=torch.float32, device=None) -> torch.Tensor:
        """Return by how many radians each pair turns from one position to the next.

        Args:
            dtype, device: of the speeds.

        Returns:
            (head_dim / 2,), from the fastest pair to the slowest.
        """
        speeds = _speeds(self.head_dim, self.base, dtype, device)
        if self.stretch == 1 or self.trained_length is None:
            return speeds
        # The numbers of the pairs, fractions, that get round 32 times and once in so long a text.
        radians = (math.tau * times / self.trained_length for times in (32, 1))  # at each position
        first, last = (-0.5 * self.head_dim * math.log(r) / math.log(self.base) for r in radians)
        first, last = max(math.floor(first), 0), min(math.ceil(last), self.head_dim - 1)
        pairs = torch.arange(self.head_dim // 2, dtype=dtype, device=device)
        slowed = ((pairs - first) / max(last - first, 1e-3)).clamp(0, 1)  # (head_dim / 2,)
        return speeds * (1 - slowed + slowed / self.stretch)

    def turns(
        self, x: torch.Tensor, offset: int = 0, positions: torch.Tensor | None = None
    ) -> Turns:
        """Return by how much each position is turned, which ``forward`` takes as its positions.

        Queries and keys share it, and so do all layers of a model. All arguments are as in
        ``forward``, but x may have any number of features.
        """
        dtype = torch.promote_types(x.dtype, torch.float32)
        if positions is None:
            positions = torch.arange(offset, offset + x.shape[-2], device=x.device)  # (length,)
        else:
            check_positions(positions, x)
            heads = [1] * (x.dim() - 3)
            positions = positions.view(x.shape[0], *heads, x.shape[-2])  # (batch, ..., length)
        speeds = self.speeds(dtype=dtype, device=positions.device)
        angles = positions.to(dtype)[..., None] * speeds  # (..., length, head_dim / 2)
        longer = 1 + 0.1 * math.log(self.stretch)
        cos, sin = longer * angles.cos(), longer * angles.sin()
        if self.pairing == "halves":
            return Turns(torch.cat((cos, cos), dim=-1), torch.cat((-sin, sin), dim=-1))
        cos, sin = torch.stack((cos, cos), dim=-1), torch.stack((-sin, sin), dim=-1)
        return Turns(cos.flatten(-2), sin.flatten(-2))

    def forward(
        self, x: torch.Tensor, offset: int = 0, positions: torch.Tensor | Turns | None = None
    ) -> torch.Tensor:
        """Return x with each position turned by its angles.

        Args:
            x: queries or keys, (..., length, head_dim).
            offset: the position of the first one; with a cache, the number of tokens in it.
            positions: (batch, length), integers: the position of each token, for an x of
                (batch, ..., length, head_dim). ``offset`` then does not count. Or what ``turns``
                returned for them.

        Returns:
            (..., length, head_dim) in x's dtype; computed in float32 at least.

        Raises:
            TypeError, ValueError: x or ``positions`` have another dtype or shape, or a position is
                below 0.
        """
        check_features("x", x, self.head_dim)
        if not isinstance(positions, Turns):
            positions = self.turns(x, offset, positions)
        cos, sin = positions
        wide = x.to(cos.dtype)
        # A pair (a, b) becomes (a cos - b sin, b cos + a sin); in others stand b and a.
        if self.pairing == "halves":
            others = wide.roll(self.head_dim // 2, dims=-1)
        else:
            others = wide.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)
        return torch.addcmul(wide * cos, others, sin).to(x.dtype)


def _speeds(features, base, dtype, device):
    pairs = torch.arange(0, features, 2, dtype=dtype, device=device) / features
    return torch.exp(-math.log(base) * pairs)  # (features / 2,)
