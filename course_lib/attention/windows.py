"""Layers that see a window only: how far they reach together, and a cache that does not grow.

A layer whose queries see the last W positions brings a token's news W - 1 positions further. N such
layers reach N * (W - 1) positions (Beltagy et al. 2020, section 3.1): what is further away cannot
change the output at all. Whether what is near enough is used is another question.
"""

import math
from collections.abc import Callable, Sequence

import torch

from course_lib.validation.layer_inputs import (
    check_append,
    check_floating,
    check_not_negative,
    check_positive,
)


def reach(windows: Sequence[int | None]) -> float:
    """Return how many positions back the input can lie that still moves an output.

    Args:
        windows: of each layer, how many positions its queries see, their own included; None for a
            layer that sees all earlier positions.

    Returns:
        The sum of window - 1 over the layers; infinity as soon as one layer sees everything.

    Raises:
        TypeError, ValueError: a window is neither None nor a positive integer.
    """
    for i, window in enumerate(windows):
        if window is not None:
            check_positive(**{f"windows[{i}]": window})
    return sum(math.inf if window is None else window - 1 for window in windows)


class WindowCache:
    """Keys and values of the last ``window`` tokens, and of the first ``sinks``, and of no others.

    A ring: when it is full, a new token takes the row of the oldest one that is no sink. So it
    never grows, and nothing is moved. Attention does not ask in which order the keys lie;
    positions must be in the keys already, as rotary ones are. One token at a time: it can stand as
    ``cache`` in ``MultiHeadAttention``, and then gives what ``window_mask`` gives on the whole
    sequence. It serves generation: gradients do not flow through it.

    Args:
        batch_size, num_kv_heads, head_dim: as in ``KVCache``.
        window: how many positions a query sees, its own included.
        sinks: how many of the first tokens are kept for ever.
        device, dtype: of the keys and values to come; under autocast, autocast's dtype.

    Raises:
        TypeError, ValueError: a size is not a positive integer (``batch_size`` and ``sinks`` may
            be 0).
    """

    def __init__(
        self,
        batch_size: int,
        num_kv_heads: int,
        window: int,
        head_dim: int,
        *,
        sinks: int = 0,
        device=None,
        dtype=None,
    ):
        check_positive(num_kv_heads=num_kv_heads, window=window, head_dim=head_dim)
        check_not_negative(batch_size=batch_size, sinks=sinks)
        shape = (2, batch_size, num_kv_heads, sinks + window, head_dim)
        self._rows = torch.zeros(shape, device=device, dtype=dtype)  # keys, then values
        self.window, self.sinks = window, sinks
        self.length = 0  # of the text so far, not of what is kept

    @property
    def nbytes(self) -> int:
        """Bytes of its buffers, which have their full size from the start."""
        return self._rows.nbytes

    def positions(self) -> torch.Tensor:
        """Return the place in the text of each key that it holds, (kept,), in the order of append.

        A mask covers the text, also what the window has dropped; these are its columns.
        """
        rows = torch.arange(min(self.length, self.sinks + self.window))
        ring = rows - self.sinks
        last = self.length - self.sinks - 1  # of those in the ring, the newest
        newest = last - (last - ring) % self.window
        return torch.where(ring < 0, rows, newest + self.sinks)

    def mark(self) -> Callable[[], None]:
        """Return a function that takes the next token away: its row gets back what it held."""
        length, row = self.length, self._row()
        rows, held = self._rows, self._rows[:, :, :, row].clone()

        def put_back():
            rows[:, :, :, row] = held
            self._rows, self.length = rows, length

        return put_back

    def _row(self) -> int:
        """The row of the next token."""
        ring = self.length - self.sinks
        return self.length if ring < 0 else self.sinks + ring % self.window

    def append(self, key: torch.Tensor, value: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Add one token and return the keys and values that its query sees.

        Args:
            key, value: (batch_size, num_kv_heads, 1, head_dim).

        Returns:
            keys and values, (batch_size, num_kv_heads, kept, head_dim): views, the sinks first and
            the others in the order of the ring. kept is at most sinks + window.

        Raises:
            TypeError, ValueError, RuntimeError: as ``KVCache.append``; not exactly one new token.
        """
        check_floating("key", key)
        if key.shape[-2:-1] != (1,):
            raise ValueError(
                "key must hold one token, (batch_size, num_kv_heads, 1, head_dim), "
                f"got {tuple(key.shape)}"
            )
        sizes = ("batch_size", "num_kv_heads")
        check_append(self._rows[0], 0, sizes, "head_dim", key=key, value=value)
        row = self._row()
        self._rows[0, :, :, row] = key[:, :, 0]
        self._rows[1, :, :, row] = value[:, :, 0]
        self.length += 1
        keys, values = self._rows[:, :, :, : self.length]
        return keys, values
