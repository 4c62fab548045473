"""The transformer: attention and a feed-forward network around a residual stream.

Follows Vaswani et al. 2017, section 3. ``norm_first=False`` is its order, LayerNorm after each
residual sum; ``norm_first=True`` normalises what each sublayer reads (Xiong et al. 2020), as GPT-2.

The block of today's language models (Llama, Touvron et al. 2023) is the same with other parts:
``norm="rms"``, ``gated=True, activation="silu"``, ``bias=False``, rotary positions and fewer
``num_kv_heads``.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from course_lib.attention.cache import KVCache, leaves_caches_whole
from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.attention.positions import RotaryEmbedding, Turns
from course_lib.model.feed_forward import FeedForward, make_dropout
from course_lib.validation.layer_inputs import check_positive, check_probability


@contextmanager
def eval_mode(model: nn.Module) -> Iterator[None]:
    """Put a model and all its parts into eval mode, and each back into its own mode at the end."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        yield
    finally:
        for module, training in modes.items():
            module.training = training


def make_norm(
    norm: str, d_model: int, *, eps: float = 1e-5, bias: bool = True, device=None, dtype=None
) -> nn.LayerNorm | nn.RMSNorm:
    """Return a normalisation of each position's features, (..., d_model) to (..., d_model).

    Args:
        norm: "layer" for LayerNorm (Ba et al. 2016), or "rms" for RMSNorm (Zhang and Sennrich
            2019), which divides by the root of the mean square: it subtracts no mean and has no
            bias.
        d_model: number of features.
        eps: added to the variance or the mean square.
        bias: whether a LayerNorm has one.
        device, dtype: of the parameters.

    Raises:
        ValueError: there is no such norm.
    """
    factory = {"device": device, "dtype": dtype}
    if norm == "layer":
        return nn.LayerNorm(d_model, eps=eps, bias=bias, **factory)
    if norm == "rms":
        return nn.RMSNorm(d_model, eps=eps, **factory)
    raise ValueError(f"norm must be 'layer' or 'rms', got {norm!r}")


class TransformerBlock(nn.Module):
    """Self-attention, cross-attention if asked for, and a feed-forward network.

    Vaswani et al. 2017, section 3.1. ``conversion.py`` copies torch's encoder and decoder layers
    into it.

    Args:
        d_model: features of the residual stream.
        num_heads: attention heads.
        d_ff: hidden features of the feed-forward network; 4 * d_model when it is None, and no
            such network when it is 0.
        cross_attention: whether the block also attends to a memory, as a decoder block does.
        norm_first: normalise before each sublayer (True) or after each residual sum (False).
        norm: "layer" or "rms", see ``make_norm``.
        activation, gated: of the feed-forward network, see ``FeedForward``.
        dropout: probability of dropping, in training: weights, hidden features, and what each
            sublayer adds to the residual stream.
        bias: whether the linear maps and the norms have one (RMSNorm never has).
        eps: of the norms.
        num_kv_heads: fewer key and value heads, see ``MultiHeadAttention``.
        rotary: rotary positions for the self-attention.
        device, dtype: of the parameters.

    Raises:
        TypeError, ValueError: the settings do not fit together.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_ff: int | None = None,
        *,
        cross_attention: bool = False,
        norm_first: bool = True,
        norm: str = "layer",
        activation: str = "gelu",
        gated: bool = False,
        dropout: float = 0.0,
        bias: bool = True,
        eps: float = 1e-5,
        num_kv_heads: int | None = None,
        rotary: RotaryEmbedding | None = None,
        device=None,
        dtype=None,
    ):
        super().__init__()
        check_positive(d_model=d_model)
        check_probability("dropout", dropout)
        d_ff = 4 * d_model if d_ff is None else d_ff
        self.norm_first = norm_first
        self.dropout = make_dropout(dropout)
        shared = {"bias": bias, "device": device, "dtype": dtype}
        heads = {"num_kv_heads": num_kv_heads, "dropout": dropout} | shared
        self.attention_norm = make_norm(norm, d_model, eps=eps, **shared)
        self.attention = MultiHeadAttention(d_model, num_heads, rotary=rotary, **heads)
        self.cross_attention = None
        if cross_attention:
            self.cross_norm = make_norm(norm, d_model, eps=eps, **shared)
            self.cross_attention = MultiHeadAttention(d_model, num_heads, **heads)
        self.feed_forward = None
        if d_ff != 0:
            self.feed_forward_norm = make_norm(norm, d_model, eps=eps, **shared)
            self.feed_forward = FeedForward(
                d_model, d_ff, activation=activation, gated=gated, dropout=dropout, **shared
            )

    @leaves_caches_whole
    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor | None = None,
        *,
        mask: torch.Tensor | None = None,
        memory_mask: torch.Tensor | None = None,
        is_causal: bool = False,
        need_weights: bool = False,
        cache: KVCache | None = None,
        memory_cache: KVCache | None = None,
        positions: torch.Tensor | Turns | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor | None, torch.Tensor | None]:
        """Return the new residual stream, and the weights if they are asked for.

        Args:
            x: (batch, length, d_model).
            memory: (batch, memory_len, d_model), what a decoder block also attends to.
            mask: boolean, True = may attend, for the self-attention; see ``MultiHeadAttention``.
            memory_mask: the same for the cross-attention.
            is_causal: hide later positions in the self-attention.
            need_weights: return the weights too.
            cache: for the self-attention.
            memory_cache: for the cross-attention. An empty one is filled with the memory's keys
                and values, and one that holds them is used in place of computing them again.
            positions: (batch, length), integers: the position of each token, for a self-attention
                with rotary positions, see ``MultiHeadAttention``; one without them has nothing to
                turn.

        Returns:
            x (batch, length, d_model); the weights of the self-attention
            (batch, num_heads, length, key_len) and of the cross-attention
            (batch, num_heads, length, memory_len), each None if not asked for or not there.

        Raises:
            TypeError, ValueError: the inputs or masks do not fit.
        """
        if (memory is not None) != (self.cross_attention is not None):
            wanted = "a tensor" if memory is None else "None"
            raise ValueError(
                f"memory must be {wanted}: cross_attention={self.cross_attention is not None}"
            )
        attention, norm = self.attention, self.attention_norm
        options: dict = {"mask": mask, "is_causal": is_causal, "need_weights": need_weights}
        if positions is not None and getattr(attention, "rotary", None) is not None:
            options["positions"] = positions
        update, weights = attention(self._before(x, norm), cache=cache, **options)
        x = self._add(x, update, norm)
        cross_weights = None
        if self.cross_attention is not None and memory is not None:  # both or neither
            is_known = memory_cache is not None and memory_cache.length > 0
            update, cross_weights = self.cross_attention(
                self._before(x, self.cross_norm),
                memory[:, :0] if is_known else memory,  # without new keys, the cache gives all
                mask=memory_mask,
                need_weights=need_weights,
                cache=memory_cache,
            )
            x = self._add(x, update, self.cross_norm)
        feed_forward = self.feed_forward
        if feed_forward is not None:
            norm = self.feed_forward_norm
            x = self._add(x, feed_forward(self._before(x, norm)), norm)
        return x, weights, cross_weights

    def _before(self, x: torch.Tensor, norm: nn.Module) -> torch.Tensor:
        return norm(x) if self.norm_first else x

    def _add(self, x: torch.Tensor, update: torch.Tensor, norm: nn.Module) -> torch.Tensor:
        x = x + self.dropout(update)
        return x if self.norm_first else norm(x)


class TransformerStack(nn.Module):
    """Blocks one after the other: an encoder, or with ``cross_attention`` a decoder.

    Args:
        num_layers: number of blocks.
        d_model, num_heads, d_ff: of each block.
        norm_first, norm: of each block.
        final_norm: whether a norm follows the last block; as ``norm_first`` when it is None,
            because blocks that normalise first leave their sum unnormalised.
        options: the other arguments of ``TransformerBlock``.

    Raises:
        TypeError, ValueError: the settings do not fit together.
    """

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        d_ff: int | None = None,
        *,
        norm_first: bool = True,
        norm: str = "layer",
        final_norm: bool | None = None,
        **options,
    ):
        super().__init__()
        check_positive(num_layers=num_layers)
        self.blocks = nn.ModuleList(
            TransformerBlock(d_model, num_heads, d_ff, norm_first=norm_first, norm=norm, **options)
            for _ in range(num_layers)
        )
        self.norm = None
        if norm_first if final_norm is None else final_norm:
            names = ("eps", "bias", "device", "dtype")
            shared = {name: value for name, value in options.items() if name in names}
            self.norm = make_norm(norm, d_model, **shared)

    @leaves_caches_whole
    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor | None = None,
        *,
        caches: list[KVCache] | None = None,
        memory_caches: list[KVCache] | None = None,
        need_weights: bool = False,
        positions: torch.Tensor | None = None,
        **options,
    ) -> tuple[torch.Tensor, list[torch.Tensor] | None, list[torch.Tensor] | None]:
        """Send x through all blocks.

        Args:
            x, memory, need_weights, options: as ``TransformerBlock`` takes them.
            caches: one for each block.
            memory_caches: one for each block, for the cross-attention.
            positions: (batch, length), integers: the position of each token, where rotary
                positions are not its place in the row.

        Returns:
            x (batch, length, d_model); the weights of the self-attention, a list with
            (batch, num_heads, length, key_len) for each block; the same of the cross-attention.
            The lists are None if not asked for or not there.

        Raises:
            TypeError, ValueError: the inputs or masks do not fit.
        """
        for name, given in (("caches", caches), ("memory_caches", memory_caches)):
            if given is not None and len(given) != len(self.blocks):
                raise ValueError(
                    f"{name} must hold {len(self.blocks)}, one for each block, got {len(given)}"
                )
        all_weights, all_cross_weights = [], []
        rotary = turns = None  # layers that share a rotary embedding share its angles
        for i, block in enumerate(self.blocks):
            where: torch.Tensor | Turns | None = positions
            attention = block.attention
            own = attention.rotary if isinstance(attention, MultiHeadAttention) else None
            if isinstance(own, RotaryEmbedding):  # another one computes its angles itself
                if own is not rotary:
                    rotary, offset = own, caches[i].length if caches else 0
                    turns = rotary.turns(x[:, None], offset, positions)  # (..., length, head_dim)
                where = turns
            x, weights, cross_weights = block(
                x,
                memory,
                positions=where,
                cache=None if caches is None else caches[i],
                memory_cache=None if memory_caches is None else memory_caches[i],
                need_weights=need_weights,
                **options,
            )
            all_weights.append(weights)
            all_cross_weights.append(cross_weights)
        if self.norm is not None:
            x = self.norm(x)
        has_cross = need_weights and memory is not None
        return x, all_weights if need_weights else None, all_cross_weights if has_cross else None
