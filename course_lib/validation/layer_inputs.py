"""Checks of what layers and models take: tensors, masks and sizes."""

import math
import types
from typing import TypeGuard

import numpy
import torch
from torch import nn


def check_qkv(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> None:
    """Refuse query, key and value of shape (..., length, features) that do not fit together."""
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        check_floating(name, tensor)
        if tensor.dim() < 2:
            raise ValueError(
                f"{name} must have at least 2 dimensions (length, features), "
                f"got shape {tuple(tensor.shape)}"
            )
        if tensor.dtype != query.dtype:
            raise TypeError(f"{name} must have query's dtype {query.dtype}, got {tensor.dtype}")
        check_device(name, tensor, query, "query's")
        if tensor.shape[:-2] != query.shape[:-2]:
            raise ValueError(
                f"{name} must have query's leading dimensions {tuple(query.shape[:-2])}, "
                f"got {tuple(tensor.shape[:-2])}"
            )
    if query.shape[-1] == 0:
        raise ValueError("query must have head_dim of at least 1, got 0")
    if key.shape[-1] != query.shape[-1]:
        raise ValueError(f"key must have query's head_dim {query.shape[-1]}, got {key.shape[-1]}")
    if value.shape[-2] != key.shape[-2]:
        raise ValueError(f"value must have key's length {key.shape[-2]}, got {value.shape[-2]}")


def check_same_length(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> None:
    """Refuse what check_qkv refuses, and keys that are not as many as the queries."""
    check_qkv(query, key, value)
    if key.shape[-2] != query.shape[-2]:
        raise ValueError(f"key must have query's length {query.shape[-2]}, got {key.shape[-2]}")


def is_linear(projection: nn.Module) -> TypeGuard[nn.Linear]:
    """Whether a module's ``weight`` and ``bias`` are all of its map: nothing wraps or replaces it.

    A subclass may do more, and what others put in the place of a projection may show the weight of
    what is inside it, as LoRA's packages do.
    """
    return type(projection) is nn.Linear


def check_linear(**projections: nn.Module) -> None:
    """Refuse projections whose numbers cannot be read from ``weight`` and ``bias``."""
    for name, projection in projections.items():
        if not is_linear(projection):
            kind = type(projection)
            raise ValueError(
                f"{name} must be an nn.Linear itself, whose weight is its whole map, "
                f"got {kind.__module__}.{kind.__qualname__}"
            )


def check_projections(module: nn.Module) -> None:
    """Refuse a module of which a part called ``..._proj`` cannot be read, see ``check_linear``."""
    parts = module.named_children()
    check_linear(**{name: part for name, part in parts if name.endswith("_proj")})


def check_sequences(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, projection: nn.Module, d_model: int
) -> None:
    """Refuse inputs that are not (batch, length, d_model), or do not fit a module's projection.

    A projection that somebody has wrapped or quantized decides itself what it takes: then only
    shapes, and what the inputs share, count.
    """
    weight = projection.weight if is_linear(projection) else query
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        if tensor is query and name != "query":
            continue  # checked already: self-attention
        check_floating(name, tensor)
        if tensor.dim() != 3 or tensor.shape[-1] != d_model:
            raise ValueError(
                f"{name} must have shape (batch, length, d_model={d_model}), "
                f"got {tuple(tensor.shape)}"
            )
        check_device(name, tensor, weight, "the module's")
        if tensor.dtype != weight.dtype and not torch.is_autocast_enabled(weight.device.type):
            raise TypeError(
                f"{name} must have the module's dtype {weight.dtype}, got {tensor.dtype}"
            )
        if tensor.shape[0] != query.shape[0]:
            raise ValueError(
                f"{name} must have query's batch size {query.shape[0]}, got {tensor.shape[0]}"
            )
    if value.shape[1] != key.shape[1]:
        raise ValueError(f"value must have key's length {key.shape[1]}, got {value.shape[1]}")


def check_mask(mask: torch.Tensor, scores_shape: torch.Size, device: torch.device) -> None:
    """Refuse a mask that is not boolean, on ``device`` and broadcastable to ``scores_shape``.

    A (batch, query, key) mask beside (batch, heads, query, key) scores would broadcast as (heads,
    query, key) whenever batch == heads, and hide keys from the wrong heads without a word. So a
    mask has as many dimensions as the scores, or two at most.
    """
    if not isinstance(mask, torch.Tensor):
        raise TypeError(f"mask must be a torch.Tensor, got {type(mask).__name__}")
    if mask.dtype != torch.bool:
        raise TypeError(f"mask must be boolean with True = may attend, got {mask.dtype}")
    if mask.device != device:
        raise ValueError(f"mask must be on the device {device}, got {mask.device}")
    if 2 < mask.dim() < len(scores_shape):
        raise ValueError(
            f"mask must have 2 dimensions (query_len, key_len) or the scores' {len(scores_shape)}, "
            f"got shape {tuple(mask.shape)} for scores of shape {tuple(scores_shape)}; "
            "one mask per sequence is written mask[:, None], one per head mask[None]"
        )
    if not broadcasts(mask.shape, scores_shape):
        raise ValueError(
            f"mask must broadcast to the scores' shape {tuple(scores_shape)}, "
            f"got {tuple(mask.shape)}"
        )


def check_boolean(name: str, mask: torch.Tensor, meaning: str = "may attend") -> None:
    """Refuse what is not a boolean tensor; ``meaning`` says what True stands for."""
    if not isinstance(mask, torch.Tensor) or mask.dtype != torch.bool:
        got = mask.dtype if isinstance(mask, torch.Tensor) else type(mask).__name__
        raise TypeError(f"{name} must be a boolean tensor, True = {meaning}, got {got}")


def broadcasts(shape: torch.Size, target: torch.Size) -> bool:
    """Whether a tensor of this shape may be expanded to ``target``.

    torch.broadcast_shapes says so too, and imports sympy at its first call.
    """
    pairs = zip(reversed(shape), reversed(target), strict=False)
    return len(shape) <= len(target) and all(size in (1, wanted) for size, wanted in pairs)


def check_head_mask(mask: torch.Tensor, scores_shape: torch.Size, device: torch.device) -> None:
    """Refuse what check_mask refuses, and masks that are not of 2 or 4 dimensions."""
    if isinstance(mask, torch.Tensor) and mask.dim() not in (2, 4):
        raise ValueError(
            "mask must have 2 dimensions (query_len, key_len) or 4 that broadcast to (batch, "
            f"heads, query_len, key_len), got shape {tuple(mask.shape)}; "
            "one mask per sequence is written mask[:, None], one per head mask[None]"
        )
    check_mask(mask, scores_shape, device)


def check_floating(name: str, tensor: torch.Tensor) -> None:
    """Refuse what is not a tensor of a floating dtype."""
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{name} must be a torch.Tensor, got {type(tensor).__name__}")
    if not tensor.is_floating_point():
        raise TypeError(f"{name} must have a floating dtype, got {tensor.dtype}")


def check_device(name: str, tensor: torch.Tensor, other: torch.Tensor, whose: str) -> None:
    """Refuse a tensor on another device than ``other``, which ``whose`` describes."""
    if tensor.device != other.device:
        raise ValueError(f"{name} must be on {whose} device {other.device}, got {tensor.device}")


def check_tokens(name: str, tokens: torch.Tensor) -> None:
    """Refuse what is not a tensor (batch, length) of int64 or int32."""
    if not isinstance(tokens, torch.Tensor) or tokens.dtype not in (torch.int64, torch.int32):
        got = tokens.dtype if isinstance(tokens, torch.Tensor) else type(tokens).__name__
        raise TypeError(f"{name} must be an integer tensor (int64 or int32), got {got}")
    if tokens.dim() != 2:
        raise ValueError(f"{name} must have shape (batch, length), got {tuple(tokens.shape)}")


def check_positive(**sizes: int) -> None:
    """Refuse sizes that are not integers, NumPy's included, of at least 1."""
    for name, size in sizes.items():
        check_integer(name, size)
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")


def check_not_negative(**sizes: int | torch.SymInt) -> None:
    """Refuse sizes that are not integers of at least 0."""
    for name, size in sizes.items():
        if isinstance(size, torch.Tensor) and torch.jit.is_tracing():
            continue  # which counts in tensors
        check_integer(name, size, int | numpy.integer | torch.SymInt)
        if size < 0:
            raise ValueError(f"{name} must be 0 or more, got {size}")


def check_number(**numbers: float) -> None:
    """Refuse what is no finite number, NumPy's included; True and False are none."""
    for name, number in numbers.items():
        is_real = isinstance(number, int | float | numpy.integer | numpy.floating)
        if isinstance(number, bool) or not is_real:
            got = "Tensor" if isinstance(number, torch.Tensor) else repr(number)
            raise TypeError(f"{name} must be a number, got {got}")
        if not math.isfinite(number):
            raise ValueError(f"{name} must be a finite number, got {number}")


def checked_scale(scale: float | None, head_dim: int) -> float:
    """Return what scores are multiplied by: the scale, or 1 / sqrt(head_dim) when it is None."""
    if scale is None:
        return 1 / math.sqrt(head_dim)
    check_number(scale=scale)
    return float(scale)  # of NumPy's


def check_flags(**flags: bool) -> None:
    """Refuse what is neither True nor False, NumPy's included; a text such as "no" is true."""
    for name, flag in flags.items():
        if not isinstance(flag, bool | numpy.bool_):
            raise TypeError(f"{name} must be True or False, got {flag!r}")


def check_integer(
    name: str, size: object, kind: type | types.UnionType = int | numpy.integer
) -> None:
    """Refuse what is no integer; True and False are none."""
    if isinstance(size, bool) or not isinstance(size, kind):
        raise TypeError(f"{name} must be an integer, got {size!r}")


def check_heads(d_model: int, num_heads: int) -> None:
    """Refuse a number of heads that does not divide the features of a token."""
    if d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model {d_model}, got {num_heads}")


def check_even(name: str, size: int) -> None:
    """Refuse an odd size."""
    if size % 2:
        raise ValueError(f"{name} must be even, got {size}")


def check_features(name: str, x: torch.Tensor, features: int) -> None:
    """Refuse what is not a floating tensor (..., length, features)."""
    check_floating(name, x)
    if x.dim() < 2 or x.shape[-1] != features:
        raise ValueError(f"{name} must have shape (..., length, {features}), got {tuple(x.shape)}")


def check_positions(positions: torch.Tensor, x: torch.Tensor, most: int | None = None) -> None:
    """Refuse what is not one integer, 0 or more, for each token.

    Those of x are (batch, ..., length, features). Where torch only records what is done to them,
    the numbers themselves are not looked at.
    """
    check_tokens("positions", positions)
    shape = (x.shape[0], x.shape[-2])
    if x.dim() < 3 or positions.shape != shape:
        raise ValueError(
            f"positions must have shape (batch, length) = {shape}, got {tuple(positions.shape)}"
        )
    check_device("positions", positions, x, "x's")
    if not has_values(positions) or not positions.numel():
        return
    if positions.min() < 0 or most and positions.max() >= most:
        raise ValueError(
            f"positions must be 0 or more{f' and below max_len={most}' if most else ''}, "
            f"got {int(positions.min())} to {int(positions.max())}"
        )


def check_rotary(positions: object, rotary: nn.Module | None) -> None:
    """Refuse positions for a layer that has no rotary ones to turn by them."""
    if positions is not None and rotary is None:
        raise ValueError("positions must be None: the layer has no rotary positions, got some")


def has_values(tensor: torch.Tensor) -> bool:
    """Whether a tensor's numbers may decide what is done next.

    They may not on the meta device, where there are none, nor under torch.compile, torch.export
    and torch.vmap, which record it once for all numbers.
    """
    return not (tensor.is_meta or torch.compiler.is_compiling() or is_mapped())


def is_mapped() -> bool:
    """Whether this runs inside torch.vmap or another of torch.func's transforms."""
    return torch._C._are_functorch_transforms_active()


def check_probability(name: str, probability: float) -> None:
    """Refuse a probability outside 0 to 1."""
    check_number(**{name: probability})
    if not 0.0 <= probability <= 1.0:
        raise ValueError(f"{name} must be between 0 and 1, got {probability}")


def check_append(
    buffer: torch.Tensor, length: int, leading: tuple[str, ...], last: str, **rows: torch.Tensor
) -> int:
    """Refuse rows that do not fit into a cache behind those it holds; return the new length.

    The cache's buffer is (..., max_len, features), and ``length`` of its rows are filled. The new
    rows, by the names of the arguments, are (..., new_len, features). ``leading`` and ``last`` are
    what the dimensions before and behind the rows are called.
    """
    for name, tensor in rows.items():
        check_floating(name, tensor)
    first = next(iter(rows.values()))
    new_len = first.shape[-2] if first.dim() > 1 else 0
    *sizes, max_len, features = buffer.shape
    for name, tensor in rows.items():
        if tensor.shape != (*sizes, new_len, features):
            known = "".join(f"{axis}={size}, " for axis, size in zip(leading, sizes, strict=True))
            raise ValueError(
                f"{name} must have shape ({known}new_len, {last}={features}), "
                f"got {tuple(tensor.shape)}"
            )
        if tensor.dtype != buffer.dtype:
            raise TypeError(
                f"{name} must have the cache's dtype {buffer.dtype}, got {tensor.dtype}"
            )
        check_device(name, tensor, buffer, "the cache's")
        if tensor.requires_grad:
            raise RuntimeError(
                f"{name} needs a gradient, which a cache cannot carry: use torch.no_grad()"
            )
    if length + new_len > max_len:
        raise ValueError(
            f"cache must hold at most max_len={max_len} tokens, got {new_len} more after {length}"
        )
    return length + new_len
