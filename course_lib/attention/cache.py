"""The key-value cache: what a decoder keeps so that each token is projected only once."""

import torch
from torch import nn

from course_lib.validation import check_append, check_not_negative, check_positive


def cache_options(projection: nn.Module) -> dict[str, torch.device | torch.dtype]:
    """Return the device and dtype of what a projection makes, as arguments for a cache.

    They are those of its first floating parameter, but for the dtype under autocast, which is
    autocast's. A quantized projection shows no parameter: it makes float32 on the CPU.
    """
    floating = (one for one in projection.parameters() if one.is_floating_point())
    weight = next(floating, torch.empty(0, dtype=torch.float32, device="cpu"))
    kind = weight.device.type
    is_cast = kind != "meta" and torch.is_autocast_enabled(kind)  # it knows no meta tensors
    dtype = torch.get_autocast_dtype(kind) if is_cast else weight.dtype
    return {"device": weight.device, "dtype": dtype}


class KVCache:
    """Keys and values of the tokens so far, in buffers of a fixed size that are filled in place.

    A buffer that grew by ``torch.cat`` would be copied anew for every token. It serves generation:
    gradients do not flow through it.

    Args:
        batch_size: number of sequences, 0 or more.
        num_kv_heads: key and value heads of the attention that it serves.
        max_len: how many tokens it can hold.
        head_dim: features of each key and value.
        device, dtype: of the keys and values to come; under autocast, autocast's dtype.

    Raises:
        TypeError, ValueError: a size is not a positive integer (``batch_size`` may be 0).
    """

    def __init__(
        self,
        batch_size: int,
        num_kv_heads: int,
        max_len: int,
        head_dim: int,
        *,
        device=None,
        dtype=None,
    ):
        check_positive(num_kv_heads=num_kv_heads, max_len=max_len, head_dim=head_dim)
        check_not_negative(batch_size=batch_size)
        shape = (batch_size, num_kv_heads, max_len, head_dim)
        self._keys = torch.zeros(shape, device=device, dtype=dtype)
        self._values = torch.zeros(shape, device=device, dtype=dtype)
        self.max_len = max_len
        self.length = 0

    def append(self, key: torch.Tensor, value: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Add new tokens and return all keys and values so far, oldest first.

        Args:
            key, value: (batch_size, num_kv_heads, new_len, head_dim).

        Returns:
            keys and values, (batch_size, num_kv_heads, length, head_dim): views, not copies.

        Raises:
            TypeError: the dtype differs from the cache's.
            ValueError: the shape or device does not fit, or there is no room left.
            RuntimeError: a gradient would be needed.
        """
        sizes = ("batch_size", "num_kv_heads")
        end = check_append(self._keys, self.length, sizes, "head_dim", key=key, value=value)
        self._keys[:, :, self.length : end] = key
        self._values[:, :, self.length : end] = value
        self.length = end
        return self._keys[:, :, :end], self._values[:, :, :end]

    def reorder(self, rows: torch.Tensor) -> None:
        """Let sequence i go on from what sequence rows[i] holds, as beam search needs it.

        Args:
            rows: (batch_size,), integers below ``batch_size``.
        """
        for buffer in (self._keys, self._values):
            buffer[:, :, : self.length] = buffer[rows, :, : self.length]
