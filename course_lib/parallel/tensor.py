"""Tensor parallelism: each rank holds some of the heads, and the sum over ranks is the whole.

Follows Shoeybi et al. 2019, "Megatron-LM", section 3. What belongs to a head stays together: its
rows of W_Q, W_K and W_V, and its columns of W_O. A rank computes what its heads add to the output,
from the whole input, and one sum over all ranks gives the output of the layer. The feed-forward
network is divided in the same way, by its hidden features.

The sum forward is the paper's function g. Backward, each rank knows only what its own heads say
about the input, and the input's gradient is the sum of these: that is the function f.
"""

import copy

import torch
import torch.distributed as dist
from torch import nn

from course_lib.attention.cache import KVCache
from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.model.feed_forward import FeedForward
from course_lib.parallel.processes import check_rank
from course_lib.validation.layer_inputs import check_positive, check_projections


def heads_of_rank(
    num_heads: int, num_kv_heads: int, rank: int, world_size: int
) -> tuple[range, range]:
    """Return the query heads of a rank, and the key and value heads that these need.

    Where there are fewer key heads than ranks, several ranks hold a copy of the same one.

    Args:
        num_heads: query heads; ``world_size`` must divide it.
        num_kv_heads: key and value heads; must divide ``num_heads``. Either ``world_size`` must
            divide it, or it must divide ``world_size``.
        rank: 0 or more, below ``world_size``.
        world_size: number of ranks.

    Raises:
        TypeError, ValueError: a number is out of range, or the heads do not divide.
    """
    check_positive(num_heads=num_heads, num_kv_heads=num_kv_heads)
    check_rank(rank, world_size)
    if num_heads % num_kv_heads:
        raise ValueError(f"num_kv_heads must divide num_heads {num_heads}, got {num_kv_heads}")
    if num_heads % world_size:
        raise ValueError(f"world_size must divide num_heads {num_heads}, got {world_size}")
    if num_kv_heads % world_size and world_size % num_kv_heads:
        raise ValueError(
            f"world_size must divide num_kv_heads {num_kv_heads} or be a multiple of it, "
            f"got {world_size}"
        )
    here = num_heads // world_size
    queries = range(rank * here, (rank + 1) * here)
    group = num_heads // num_kv_heads  # query heads that share one key head
    return queries, range(queries[0] // group, queries[-1] // group + 1)


def shard_attention(
    attention: MultiHeadAttention, rank: int, world_size: int
) -> MultiHeadAttention:
    """Return a copy that holds the heads of one rank; over all ranks, the outputs sum to the whole.

    Shoeybi et al. 2019, section 3. The bias of ``out_proj`` belongs to no head, and must be added
    once: rank 0 has it. No process is needed for this.

    Raises:
        TypeError, ValueError: the heads do not divide, see ``heads_of_rank``, or a projection is no
            ``nn.Linear`` itself (wrapped, quantized).
    """
    check_projections(attention)
    queries, keys = heads_of_rank(attention.num_heads, attention.num_kv_heads, rank, world_size)
    wide, narrow = (
        slice(heads.start * attention.head_dim, heads.stop * attention.head_dim)
        for heads in (queries, keys)
    )
    part = copy.deepcopy(attention)
    part.num_heads, part.num_kv_heads = len(queries), len(keys)
    part.q_proj = _rows(attention.q_proj, wide)
    part.k_proj = _rows(attention.k_proj, narrow)
    part.v_proj = _rows(attention.v_proj, narrow)
    part.out_proj = _columns(attention.out_proj, wide, with_bias=rank == 0)
    return part


def shard_feed_forward(feed_forward: FeedForward, rank: int, world_size: int) -> FeedForward:
    """Return a copy that holds one rank's hidden features; the outputs of all sum to the whole.

    The bias of ``down_proj`` is rank 0's.

    Raises:
        ValueError: ``world_size`` does not divide the hidden features, there is no such rank, or a
            projection is no ``nn.Linear`` itself.
    """
    check_rank(rank, world_size)
    check_projections(feed_forward)
    d_ff = feed_forward.up_proj.out_features
    if d_ff % world_size:
        raise ValueError(f"world_size must divide d_ff {d_ff}, got {world_size}")
    here = slice(rank * d_ff // world_size, (rank + 1) * d_ff // world_size)
    part = copy.deepcopy(feed_forward)
    part.up_proj = _rows(feed_forward.up_proj, here)
    if feed_forward.gate_proj is not None:
        part.gate_proj = _rows(feed_forward.gate_proj, here)
    part.down_proj = _columns(feed_forward.down_proj, here, with_bias=rank == 0)
    return part


def _rows(linear: nn.Linear, rows: slice) -> nn.Linear:
    return _linear(linear.weight[rows], None if linear.bias is None else linear.bias[rows])


def _columns(linear: nn.Linear, columns: slice, with_bias: bool) -> nn.Linear:
    return _linear(linear.weight[:, columns], linear.bias if with_bias else None)


def _linear(weight: torch.Tensor, bias: torch.Tensor | None) -> nn.Linear:
    linear = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None, device="meta")
    linear.weight = nn.Parameter(weight.detach().clone(), requires_grad=weight.requires_grad)
    if bias is not None:
        linear.bias = nn.Parameter(bias.detach().clone(), requires_grad=bias.requires_grad)
    return linear


class _CopyToRanks(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        return _all_reduced(gradient)


class _SumOverRanks(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return _all_reduced(x)

    @staticmethod
    def backward(ctx, gradient):
        return gradient


def _all_reduced(x: torch.Tensor) -> torch.Tensor:
    total = x.clone(memory_format=torch.contiguous_format)
    dist.all_reduce(total)
    return total


def copy_to_ranks(x: torch.Tensor) -> torch.Tensor:
    """Return x, which all ranks have; backward, sum what the ranks' parts say about it.

    The function f of Megatron-LM: it stands before what is divided among ranks.
    """
    return _CopyToRanks.apply(x)


def sum_over_ranks(x: torch.Tensor) -> torch.Tensor:
    """Return the sum of all ranks' x; backward, each rank gets the gradient as it is.

    The function g of Megatron-LM: it stands behind what is divided among ranks. From there on all
    ranks compute the same, the loss too. So the gradient is known to each, and a sum over ranks
    would make it ``world_size`` times too large.
    """
    return _SumOverRanks.apply(x)


class ParallelAttention(nn.Module):
    """One rank's heads, in the place of the whole attention: the same arguments, the same output.

    Each rank gives the whole input and gets the whole output. Forward costs one sum over ranks, and
    backward one for each of query, key and value that is given, besides small ones for key heads
    that several ranks hold. ``num_heads`` and ``num_kv_heads`` are those that are here, and so are
    the weights that ``need_weights`` returns, the heads of a mask, and the heads of a cache.

    Args:
        attention: the whole one, the same on all ranks; it is copied and not changed.

    Raises:
        TypeError, ValueError: the heads do not divide, or there is dropout: ranks would have to
            draw equal numbers for some parts and others for the heads.
    """

    def __init__(self, attention: MultiHeadAttention):
        super().__init__()
        _refuse_dropout(attention)
        rank, world_size = dist.get_rank(), dist.get_world_size()
        self.part = shard_attention(attention, rank, world_size)
        self.num_heads, self.num_kv_heads = self.part.num_heads, self.part.num_kv_heads
        self.head_dim = attention.head_dim
        if attention.num_kv_heads < world_size:
            _, keys = heads_of_rank(attention.num_heads, attention.num_kv_heads, rank, world_size)
            for projection in (self.part.k_proj, self.part.v_proj):
                for parameter in projection.parameters():
                    if parameter.requires_grad:
                        self._share_gradient(parameter, keys[0], attention.num_kv_heads)

    def _share_gradient(self, parameter: nn.Parameter, head: int, num_kv_heads: int) -> None:
        """A key head that several ranks have: its gradient is the sum of those on all of them."""

        def summed(gradient):
            by_head = gradient.new_zeros(num_kv_heads, *gradient.shape)
            by_head[head] = gradient
            return _all_reduced(by_head)[head]

        parameter.register_hook(summed)

    def make_cache(self, batch_size: int, max_len: int) -> KVCache:
        """Return an empty cache for the key heads that are here: ``part`` makes it."""
        return self.part.make_cache(batch_size, max_len)

    def forward(
        self,
        query: torch.Tensor,
        key: torch.Tensor | None = None,
        value: torch.Tensor | None = None,
        **options,
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Attend as ``MultiHeadAttention`` does, and return the sum over ranks.

        All ranks must call it, with the same input.
        """
        inputs = (None if x is None else copy_to_ranks(x) for x in (query, key, value))
        output, weights = self.part(*inputs, **options)
        return sum_over_ranks(output), weights


class ParallelFeedForward(nn.Module):
    """One rank's hidden features, in the place of the whole network, as ``ParallelAttention``.

    Raises:
        ValueError: the number of ranks does not divide the hidden features, or there is dropout.
    """

    def __init__(self, feed_forward: FeedForward):
        super().__init__()
        _refuse_dropout(feed_forward)
        rank, world_size = dist.get_rank(), dist.get_world_size()
        self.part = shard_feed_forward(feed_forward, rank, world_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (..., d_model) for x of (..., d_model). All ranks must call it."""
        return sum_over_ranks(self.part(copy_to_ranks(x)))


def parallelize(module: nn.Module) -> nn.Module:
    """Divide each attention and each feed-forward network in a model among the ranks, in place.

    What lies between them (embeddings, norms, the map to logits) stays whole on each rank, and
    gets the same gradients there. All ranks must hold the same model, and see the same batch.

    Args:
        module: a ``MultiHeadAttention``, a ``FeedForward`` or a module that holds such, as
            ``TransformerBlock`` and ``DecoderLM`` do. It is returned; in place of an attention or a
            network alone comes its part.

    Raises:
        TypeError, ValueError: a module does not divide, there is dropout, or there is nothing to
            divide.
    """
    _refuse_dropout(module)

    def divided(whole: MultiHeadAttention | FeedForward) -> nn.Module:
        if isinstance(whole, MultiHeadAttention):
            return ParallelAttention(whole)
        return ParallelFeedForward(whole)

    if isinstance(module, MultiHeadAttention | FeedForward):
        return divided(module)
    places = [
        (parent, name, child)
        for parent in module.modules()
        for name, child in parent.named_children()
        if isinstance(child, MultiHeadAttention | FeedForward)
    ]
    if not places:
        raise ValueError(
            "module must hold a MultiHeadAttention or a FeedForward, got "
            f"{type(module).__name__} without one"
        )
    parts = [divided(child) for _, _, child in places]
    for (parent, name, _), part in zip(places, parts, strict=True):  # once all of them divide
        setattr(parent, name, part)
    return module


def _refuse_dropout(module: nn.Module) -> None:
    for part in module.modules():
        probability = part.dropout if isinstance(part, MultiHeadAttention) else 0
        if isinstance(part, nn.Dropout):
            probability = part.p
        if probability > 0:
            raise ValueError(f"dropout must be 0 in a module that is divided, got {probability}")
