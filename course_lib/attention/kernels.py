"""Kernels in Triton (Tillet et al. 2019): Python that a GPU runs as many programs at once.

Without a GPU, Triton's own interpreter computes them, program by program, with NumPy. It is slow,
and shows the same mistakes. Triton is an extra, ``pip install triton``, for Linux only; Colab has
it. Where it is missing, ``triton_is_here`` says so, and ``tl`` has what a kernel's first line
needs.
"""

import math
import os
import sys
from collections.abc import Callable
from functools import lru_cache
from types import FunctionType, SimpleNamespace
from typing import Any

import torch

from course_lib.validation.layer_inputs import check_flags, check_positive

MISSING = (
    "This needs Triton, which is not here: on Linux `pip install triton` and restart the kernel of "
    "the notebook, or open it in Colab, which has Triton."
)
# Triton reads this when it is imported. Its numbers in float32 are then float32 on a GPU too.
os.environ.setdefault("TRITON_F32_DEFAULT", "ieee")
if not torch.cuda.is_available() and "triton" not in sys.modules:
    os.environ.setdefault("TRITON_INTERPRET", "1")
IS_INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"

try:
    import triton
    import triton.language as tl
except ImportError:
    triton, tl = None, SimpleNamespace(constexpr=int)


def triton_is_here() -> bool:
    """Whether Triton can be used; if not, print in one sentence how to get it."""
    if triton is None:
        print(MISSING)
    return triton is not None


def run_kernel(kernel: Callable, grid: tuple[int, ...], *arguments, **constants) -> None:
    """Run ``kernel`` once for each place of ``grid``.

    Args:
        kernel: a function in Triton's language, with or without ``@triton.jit``.
        grid: how many programs there are, in up to three directions: ``tl.program_id`` counts them.
        arguments: numbers, and tensors, of which the kernel gets the address of the first number.
        constants: what is known when the kernel is compiled, ``tl.constexpr`` in its first line.

    Raises:
        ImportError: Triton is missing, or was imported before it could be told to interpret.
    """
    if triton is None:
        raise ImportError(MISSING)
    if not (IS_INTERPRETED or torch.cuda.is_available()):
        raise ImportError(
            "Triton was imported before this course could tell it that there is no GPU. Restart "
            "the notebook's kernel, and import course_lib.attention.kernels first."
        )
    try:
        _compiled(kernel)[grid](*arguments, **constants)
    except triton.runtime.errors.InterpreterError as error:  # the kernel's own says in which line
        raise error.__cause__ or error from None


@lru_cache(maxsize=64)
def _compiled(kernel: Callable) -> Any:
    return triton.jit(kernel) if isinstance(kernel, FunctionType) else kernel


def attend_with(
    kernel: Callable,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    is_causal: bool = False,
    block_len: int = 16,
) -> torch.Tensor:
    """Attention by a kernel: one program for each block of queries of each head.

    The kernel is called as ``kernel(query, key, value, output, query_head, query_row, key_head,
    key_row, value_head, value_row, output_head, output_row, query_len, key_len, scale, IS_CAUSAL,
    HEAD_DIM, VALUE_DIM, BLOCK)``. The first four are addresses. ``query_head`` is how many numbers
    lie from one head to the next, ``query_row`` from one row to the next; the features of a row lie
    side by side.

    Where Triton's interpreter computes, the rows of a head lie apart, and behind the last of them
    lie rows of nan: a kernel that reads them shows it.

    Args:
        query: (num_heads, query_len, head_dim).
        key: (num_heads, key_len, head_dim).
        value: (num_heads, key_len, value_dim); both dimensions are powers of 2.
        is_causal: handed on to the kernel.
        block_len: queries, and keys, of a block: a power of 2, and at least 16 on a GPU.

    Returns:
        (num_heads, query_len, value_dim) in float32.

    Raises:
        ImportError: Triton is missing.
        TypeError, ValueError: the arguments do not fit.
        IndexError: the kernel wrote behind the end of the output.
    """
    check_flags(is_causal=is_causal)
    check_positive(block_len=block_len)
    for name, tensor, shape in (
        ("key", key, (query.shape[0], key.shape[1], query.shape[2])),
        ("value", value, (query.shape[0], key.shape[1], value.shape[2])),
    ):
        if tensor.shape != shape:
            raise ValueError(f"{name} must have the shape {shape}, got {tuple(tensor.shape)}")
    (num_heads, query_len, head_dim), value_dim = query.shape, value.shape[2]
    output = query.new_zeros(num_heads, query_len, value_dim, dtype=torch.float32)
    tensors = [query, key, value, output]
    if IS_INTERPRETED:
        for i, tensor in enumerate(tensors):
            shape = (tensor.shape[1] + block_len, num_heads, tensor.shape[2])
            apart = tensor.new_full(shape, math.nan)
            apart[: tensor.shape[1]] = tensor.transpose(0, 1)
            tensors[i] = apart.transpose(0, 1)[:, : tensor.shape[1]]
    strides = [stride for tensor in tensors for stride in tensor.stride()[:2]]
    numbers = (*strides, query_len, key.shape[1], 1 / math.sqrt(head_dim))
    grid = (math.ceil(query_len / block_len), num_heads)
    sizes = {"HEAD_DIM": head_dim, "VALUE_DIM": value_dim, "BLOCK": block_len}
    run_kernel(kernel, grid, *tensors, *numbers, IS_CAUSAL=is_causal, **sizes)
    if not IS_INTERPRETED:
        return output
    if not tensors[3]._base[query_len:].isnan().all():  # type: ignore[index]
        raise IndexError("the kernel wrote behind the end of the output: tl.store needs a mask")
    return tensors[3].contiguous()
