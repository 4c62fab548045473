"""The key-value cache: what a decoder keeps so that each token is projected only once."""

import functools
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, TypeVar, cast

import torch

from course_lib.validation.layer_inputs import check_append, check_not_negative, check_positive


def ready_buffer(buffer: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
    """Return the buffer of a cache whose ``first`` rows come now.

    One on the meta device, which takes no memory, becomes zeros on the device and in the dtype of
    these rows. Nothing else knows them before: autocast, a wrapped or a quantized projection
    decides them when it runs. Any other buffer stays as it is.
    """
    if not buffer.is_meta:
        return buffer
    with torch.inference_mode(False):  # a buffer of inference mode could not be filled outside it
        return torch.zeros(buffer.shape, device=first.device, dtype=first.dtype)


C = TypeVar("C", bound=Callable)
CACHES = ("cache", "memory_cache", "caches", "memory_caches")  # arguments that hold some


def leaves_caches_whole(call: C) -> C:
    """Wrap a call: an error in the middle of it leaves the caches that it was given as they were.

    A cache of another kind may say by ``mark()`` how it is put back; else its attributes are. The
    wrapper has no closure: checks of exercises exchange the code of what an answer may not call.
    """

    @functools.wraps(call)
    def whole(*args: Any, _call: C = call, **options: Any) -> Any:
        given = [options[name] for name in CACHES if options.get(name) is not None]
        put_back = [mark(cache) for part in given for cache in _one_by_one(part)]
        if not put_back:
            return _call(*args, **options)
        try:
            return _call(*args, **options)
        except BaseException:
            for undo in put_back:
                undo()
            raise

    # torch.compile counts recompilations by code object: each call needs one of its own.
    code = whole.__code__.replace(co_name=call.__qualname__)  # type: ignore[attr-defined]
    whole.__code__ = code  # type: ignore[attr-defined]
    return cast(C, whole)


def mark(cache: object) -> Callable[[], object]:
    """Return a function that puts the cache back to what it is now."""
    if (own := getattr(cache, "mark", None)) is not None:
        return own()
    attributes = getattr(cache, "__dict__", {})
    return functools.partial(attributes.update, attributes.copy())


def _one_by_one(given: object) -> Iterable:
    parts = given if isinstance(given, list | tuple) else (given,)
    in_lists = parts and isinstance(parts[0], list | tuple)  # as an encoder-decoder keeps them
    return chain.from_iterable(parts) if in_lists else parts


class KVCache:
    """Keys and values of the tokens so far, in buffers of a fixed size that are filled in place.

    A buffer that grew by ``torch.cat`` would be copied anew for every token. It serves generation:
    gradients do not flow through it.

    Args:
        batch_size: number of sequences, 0 or more.
        num_kv_heads: key and value heads of the attention that it serves.
        max_len: how many tokens it can hold.
        head_dim: features of each key and value.
        device, dtype: of the keys and values to come. On "meta", as layers make it, the first
            ones decide both.

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
        keys, values = ready_buffer(self._keys, key), ready_buffer(self._values, key)
        end = check_append(keys, self.length, sizes, "head_dim", key=key, value=value)
        keys[:, :, self.length : end] = key
        values[:, :, self.length : end] = value
        self._keys, self._values, self.length = keys, values, end
        return keys[:, :, :end], values[:, :, :end]
