"""Context parallelism: each rank holds some of the tokens, and keys and values go round a ring.

Follows Liu, Zaharia and Abbeel 2023, "Ring Attention with Blockwise Transformers". Each rank keeps
its own queries. It meets the keys and values of one part of the sequence at a time, passes them on
to the next rank, and merges what it has seen by the rule of ``online_softmax``.
"""

import torch
import torch.distributed as dist

from course_lib.attention.masks import causal_mask
from course_lib.attention.online_softmax import merge, partial_softmax
from course_lib.parallel.processes import check_rank
from course_lib.validation.layer_inputs import (
    check_flags,
    check_positive,
    check_qkv,
    check_same_length,
    checked_scale,
)


def parts_met(rank: int, world_size: int, *, is_causal: bool = False) -> list[int | None]:
    """Return which part of the sequence a rank attends to at each step of the ring.

    It begins with its own. With ``is_causal``, the parts behind its own are its future: it is idle
    at these steps (None), while others work.

    Raises:
        TypeError, ValueError: there is no such rank.
    """
    check_rank(rank, world_size)
    check_flags(is_causal=is_causal)
    parts = [(rank - step) % world_size for step in range(world_size)]
    return [None if is_causal and part > rank else part for part in parts]


def idle_share(world_size: int, *, is_causal: bool) -> float:
    """Return the share of all steps of all ranks at which there is nothing to do.

    (n - 1) / (2 n) for a causal ring: nearly half the machine waits when n is large.
    """
    check_positive(world_size=world_size)
    ranks = range(world_size)
    steps = [part for rank in ranks for part in parts_met(rank, world_size, is_causal=is_causal)]
    return steps.count(None) / len(steps)


class _PassOn(torch.autograd.Function):
    """Send tensors to the next rank and take the previous one's; their gradients go back."""

    @staticmethod
    def forward(ctx, *tensors):
        return _shifted(tensors, 1)

    @staticmethod
    def backward(ctx, *gradients):
        return _shifted(gradients, -1)


def _shifted(tensors, distance: int) -> tuple[torch.Tensor, ...]:
    rank, world_size = dist.get_rank(), dist.get_world_size()
    to, source = (rank + distance) % world_size, (rank - distance) % world_size
    sent = [tensor.contiguous() for tensor in tensors]
    received = [torch.empty_like(tensor) for tensor in sent]
    sends = [dist.P2POp(dist.isend, tensor, to) for tensor in sent]
    takes = [dist.P2POp(dist.irecv, tensor, source) for tensor in received]
    for request in dist.batch_isend_irecv(sends + takes):
        request.wait()
    return tuple(received)


def ring_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> torch.Tensor:
    """Attend from this rank's tokens to those of all ranks; no rank ever holds all keys.

    Liu, Zaharia and Abbeel 2023. Rank r has part r of the sequence, and all parts have the same
    length. The output has a gradient; all ranks must call backward, too.

    Args:
        query: (..., part_len, head_dim), of this rank's tokens.
        key: (..., part_len, head_dim).
        value: (..., part_len, value_dim).
        is_causal: let each query see only its own position and earlier ones.
        scale: the scores are multiplied by it; 1 / sqrt(head_dim) when it is None.

    Returns:
        output (..., part_len, value_dim), of this rank's tokens, in the dtype of the inputs.

    Raises:
        TypeError, ValueError: the inputs do not fit together.
    """
    (check_same_length if is_causal else check_qkv)(query, key, value)
    rank, world_size = dist.get_rank(), dist.get_world_size()
    query = query * checked_scale(scale, query.shape[-1])
    seen = None
    for step, part in enumerate(parts_met(rank, world_size, is_causal=is_causal)):
        if step > 0:
            key, value = _PassOn.apply(key, value)
        # Of a part in the future no key is taken, but it stays in the graph: gradients of other
        # ranks come back through this one.
        taken = slice(0, 0) if part is None else slice(None)
        own = is_causal and part == rank
        mask = causal_mask(key.shape[-2], device=key.device) if own else None
        scores = query @ key[..., taken, :].mT  # (..., part_len, part_len)
        of_part = partial_softmax(scores, value[..., taken, :], mask)
        seen = of_part if seen is None else merge(seen, of_part)
    assert seen is not None  # there is at least one rank
    return seen.output().to(query.dtype)
