"""Attention with many heads, each with its own projections, in one matrix for all.

Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2:

    MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O
    head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)
"""

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.attention.cache import KVCache, leaves_caches_whole
from course_lib.attention.positions import RotaryEmbedding, Turns
from course_lib.attention.scaled_dot_product import (
    fused_attention,
    repeat_for_groups,
    scaled_dot_product_attention,
)
from course_lib.validation.layer_inputs import (
    check_head_mask,
    check_heads,
    check_positive,
    check_probability,
    check_rotary,
    check_sequences,
)


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """(batch, length, num_heads * features) becomes (batch, num_heads, length, features)."""
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def join_heads(heads: torch.Tensor) -> torch.Tensor:
    """(batch, num_heads, length, features) becomes (batch, length, num_heads * features)."""
    return heads.transpose(1, 2).flatten(-2)


class MultiHeadAttention(nn.Module):
    """Attention with several heads, each with its own projections of the whole input.

    Vaswani et al. 2017, section 3.2.2. The projections of all heads lie in one matrix: head i owns
    rows i * head_dim to (i + 1) * head_dim - 1 of ``q_proj.weight``, and the same columns of
    ``out_proj.weight``. With fewer ``num_kv_heads``, each key and value head serves
    num_heads / num_kv_heads neighbouring query heads: grouped-query attention (Ainslie et al.
    2023), and with one, multi-query attention (Shazeer 2019). ``conversion.py`` copies it from and
    to torch's module.

    ``forward`` reads the number of heads from the widths of the projections. So ``q_proj``,
    ``k_proj`` and ``v_proj`` may hold the rows of some heads only, and ``out_proj`` their columns:
    the output is then what these heads add to the sum over all heads. ``parallel.tensor`` divides
    heads among devices in this way.

    Args:
        d_model: features of each token, in and out.
        num_heads: query heads; must divide ``d_model``.
        num_kv_heads: key and value heads; must divide ``num_heads``, which is its default.
        bias: whether the four projections have one.
        dropout: probability, in training, of dropping a weight.
        rotary: turns queries and keys by their position (self-attention only).
        device, dtype: of the parameters.

    Raises:
        TypeError, ValueError: the sizes are not positive integers that divide each other,
            ``dropout`` is not between 0 and 1, or ``rotary`` has another head_dim.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        *,
        num_kv_heads: int | None = None,
        bias: bool = True,
        dropout: float = 0.0,
        rotary: RotaryEmbedding | None = None,
        device=None,
        dtype=None,
    ):
        super().__init__()
        num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
        check_positive(d_model=d_model, num_heads=num_heads, num_kv_heads=num_kv_heads)
        check_probability("dropout", dropout)
        check_heads(d_model, num_heads)
        if num_heads % num_kv_heads:
            raise ValueError(f"num_kv_heads must divide num_heads {num_heads}, got {num_kv_heads}")
        self.d_model, self.num_heads, self.num_kv_heads = d_model, num_heads, num_kv_heads
        self.head_dim = d_model // num_heads
        self.dropout = dropout
        if rotary is not None and rotary.head_dim != self.head_dim:
            raise ValueError(f"rotary must have head_dim {self.head_dim}, got {rotary.head_dim}")
        self.rotary = rotary
        options = {"bias": bias, "device": device, "dtype": dtype}
        self.q_proj = nn.Linear(d_model, d_model, **options)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.head_dim, **options)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.head_dim, **options)
        self.out_proj = nn.Linear(d_model, d_model, **options)
        for projection in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            nn.init.xavier_uniform_(projection.weight)
            if bias:
                nn.init.zeros_(projection.bias)

    def make_cache(self, batch_size: int, max_len: int) -> KVCache:
        """Return an empty cache for keys and values (batch_size, num_kv_heads, max_len, head_dim).

        It takes the device and dtype of the first ones that come, and memory only then.

        Args:
            batch_size: number of sequences, 0 or more.
            max_len: how many tokens it can hold.

        Raises:
            TypeError, ValueError: a size is not a positive integer (``batch_size`` may be 0).
        """
        return KVCache(batch_size, self.num_kv_heads, max_len, self.head_dim, device="meta")

    @leaves_caches_whole
    def forward(
        self,
        query: torch.Tensor,
        key: torch.Tensor | None = None,
        value: torch.Tensor | None = None,
        *,
        mask: torch.Tensor | None = None,
        is_causal: bool = False,
        need_weights: bool = False,
        cache: KVCache | None = None,
        positions: torch.Tensor | Turns | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Attend from ``query`` to ``key``, or to itself when ``key`` is None.

        A query that may attend to nothing gets zeros from every head (so ``out_proj``'s bias),
        with finite gradients. Lengths and batch may be 0.

        Args:
            query: (batch, query_len, d_model).
            key: (batch, key_len, d_model), for cross-attention.
            value: (batch, key_len, d_model); the same as ``key`` when it is None.
            mask: boolean, True = may attend. Either (query_len, key_len) or four dimensions that
                broadcast to (batch, num_heads, query_len, key_len).
            is_causal: hide later positions, the last query being aligned with the last key.
            need_weights: also return the weights, which takes memory query_len x key_len per head;
                otherwise torch's fused kernel computes the same output without storing them.
            cache: from ``make_cache``; the new keys and values are appended to it, and the queries
                see all it holds (key_len then counts them all, for a ``WindowCache`` also those
                that it has dropped). An error leaves it as it was.
            positions: (batch, query_len), integers: the position of each token, where rotary
                positions are not its place in the row; or what ``rotary.turns`` returned for
                them, which other layers share.

        Returns:
            output (batch, query_len, d_model), and the weights before dropout
            (batch, num_heads, query_len, key_len), or None without ``need_weights``.

        Raises:
            TypeError, ValueError: the inputs or the mask do not fit, or the cache overflows.
            RuntimeError: a cache is given, and a gradient would be needed.
        """
        if key is None and value is not None:
            raise ValueError("value must come with a key, got a value and key=None")
        rotary = self.rotary
        if key is not None and rotary is not None:
            raise ValueError("rotary fits self-attention only, but a key was given")
        key = query if key is None else key
        value = key if value is None else value
        check_sequences(query, key, value, self.q_proj, self.d_model)
        check_rotary(positions, rotary)
        q = self._split_heads(self.q_proj(query))  # (batch, num_heads, query_len, head_dim)
        if mask is not None:
            key_len = key.shape[1] + (0 if cache is None else cache.length)
            check_head_mask(mask, torch.Size((*q.shape[:3], key_len)), query.device)
        # (batch, num_kv_heads, key_len, head_dim) each. A projection that somebody has wrapped or
        # quantized may answer in another dtype than the others.
        k = self._split_heads(self.k_proj(key)).to(q.dtype)
        v = self._split_heads(self.v_proj(value)).to(q.dtype)
        if rotary is not None:
            offset = 0 if cache is None else cache.length
            where = {"offset": offset} if positions is None else {"positions": positions}
            turned = rotary(torch.cat((q, k), dim=1), **where)  # all heads by the same angles
            q, k = turned.tensor_split((q.shape[1],), dim=1)
        if cache is not None:
            k, v = cache.append(k, v)
            if mask is not None and hasattr(cache, "positions") and mask.shape[-1] > 1:
                mask = mask[..., cache.positions().to(mask.device)]  # of those that are kept

        weights = None
        dropout = self.dropout if self.training else 0.0
        if need_weights:
            k, v = repeat_for_groups(q, k, v)
            heads, weights = scaled_dot_product_attention(q, k, v, mask=mask, is_causal=is_causal)
            if dropout > 0:
                heads = F.dropout(weights, dropout) @ v
        else:
            heads = fused_attention(q, k, v, mask=mask, is_causal=is_causal, dropout=dropout)
        # joined: (batch, query_len, num_heads * head_dim)
        return self.out_proj(join_heads(heads)), weights

    def _split_heads(self, x: torch.Tensor) -> torch.Tensor:
        return split_heads(x, x.shape[-1] // self.head_dim)  # there may be fewer than num_heads
