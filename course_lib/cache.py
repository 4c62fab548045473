"""The key-value cache: what a decoder keeps so that each token is projected only once."""

import torch

from course_lib.validation import check_positive


class KVCache:
    """Keys and values of the tokens so far, in buffers of a fixed size that are filled in place.

    A buffer that grew by ``torch.cat`` would be copied anew for every token. It serves generation:
    gradients do not flow through it.

    Args:
        batch_size: number of sequences, 0 or more.
        num_kv_heads: key and value heads of the attention that it serves.
        max_len: how many tokens it can hold.
        head_dim: features of each key and value.
        device, dtype: of the keys and values; under autocast, the dtype of autocast.

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
        if batch_size < 0:
            raise ValueError(f"batch_size must be 0 or more, got {batch_size}")
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
        batch_size, num_kv_heads, _, head_dim = self._keys.shape
        new_len = key.shape[-2] if key.dim() == 4 else 0
        for name, tensor in (("key", key), ("value", value)):
            if tensor.shape != (batch_size, num_kv_heads, new_len, head_dim):
                raise ValueError(
                    f"{name} must have shape (batch_size={batch_size}, "
                    f"num_kv_heads={num_kv_heads}, new_len, head_dim={head_dim}), "
                    f"got {tuple(tensor.shape)}"
                )
            if tensor.dtype != self._keys.dtype:
                raise TypeError(
                    f"{name} must have the cache's dtype {self._keys.dtype}, got {tensor.dtype}"
                )
            if tensor.device != self._keys.device:
                raise ValueError(
                    f"{name} must be on the cache's device {self._keys.device}, got {tensor.device}"
                )
            if tensor.requires_grad:
                raise RuntimeError(
                    f"{name} needs a gradient, which a cache cannot carry: use torch.no_grad()"
                )
        end = self.length + new_len
        if end > self.max_len:
            raise ValueError(
                f"cache must hold at most max_len={self.max_len} tokens, "
                f"got {new_len} more after {self.length}"
            )
        self._keys[:, :, self.length : end] = key
        self._values[:, :, self.length : end] = value
        self.length = end
        return self._keys[:, :, :end], self._values[:, :, :end]
