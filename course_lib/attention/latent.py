"""Multi-head latent attention: keys and values of all heads come from one vector per token."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.attention.cache import leaves_caches_whole, ready_buffer
from course_lib.attention.multi_head import join_heads, split_heads
from course_lib.attention.positions import RotaryEmbedding
from course_lib.attention.scaled_dot_product import fused_attention, scaled_dot_product_attention
from course_lib.validation.layer_inputs import (
    check_append,
    check_head_mask,
    check_heads,
    check_linear,
    check_not_negative,
    check_positive,
    check_rotary,
    check_sequences,
    is_linear,
)


class LatentCache:
    """One row of numbers for each token so far: its latent, and behind it its rotary key.

    A buffer of a fixed size that is filled in place. It serves generation: gradients do not flow
    through it.

    Args:
        batch_size, max_len, device, dtype: as in ``KVCache``.
        features: numbers for each token, latent_dim + rotary_dim.

    Raises:
        TypeError, ValueError: a size is not a positive integer (``batch_size`` may be 0).
    """

    def __init__(self, batch_size: int, max_len: int, features: int, *, device=None, dtype=None):
        check_positive(max_len=max_len, features=features)
        check_not_negative(batch_size=batch_size)
        self._rows = torch.zeros(batch_size, max_len, features, device=device, dtype=dtype)
        self.max_len = max_len
        self.length = 0

    def append(self, rows: torch.Tensor) -> torch.Tensor:
        """Add new tokens, (batch_size, new_len, features), and return those of all tokens so far.

        Returns:
            (batch_size, length, features), oldest first: a view, not a copy.

        Raises:
            TypeError, ValueError, RuntimeError: as ``KVCache.append``.
        """
        held = ready_buffer(self._rows, rows)
        end = check_append(held, self.length, ("batch_size",), "features", rows=rows)
        held[:, self.length : end] = rows
        self._rows, self.length = held, end
        return held[:, :end]


class LatentAttention(nn.Module):
    """Self-attention whose heads make their keys and values from one latent per token.

    Multi-head latent attention of DeepSeek-V2 (DeepSeek-AI 2024, arXiv 2405.04434, section 2.1):

        c = RMSNorm(W_DKV x)                the latent, which is kept      (latent_dim,)
        k_R = RoPE(W_KR x)                  one key for all heads, kept    (rotary_dim,)
        k_i = [W_UK_i c ; k_R]              the key of head i              (head_dim + rotary_dim,)
        v_i = W_UV_i c                      the value of head i            (head_dim,)
        q_i = [W_UQ_i x ; RoPE(W_QR_i x)]   its query
        output = W_O [o_1 ; ... ; o_h],  with scores q_i . k_i / sqrt(head_dim + rotary_dim)

    It has two forms that give the same numbers. The plain one makes keys and values of all heads
    from the latents. The absorbed one multiplies ``key_up`` into the query and ``value_up`` into
    what comes out, so that the latents themselves are attended to, by all heads:
    q_i . (W_UK_i c) = (W_UK_i^T q_i) . c. With a cache that is the cheaper one.

    Args:
        d_model: features of each token, in and out.
        num_heads: number of heads.
        latent_dim: numbers of the latent that keys and values are made of.
        head_dim: features of each query, key and value without the rotary ones;
            d_model / num_heads when it is None.
        rotary: turns the rotary queries, and the one rotary key that all heads share; its
            ``head_dim`` is rotary_dim. None leaves these parts, and all positions, away.
        eps: of the RMSNorm of the latents.
        device, dtype: of the parameters.

    Raises:
        TypeError, ValueError: a size is not a positive integer, or ``num_heads`` does not divide
            ``d_model`` where ``head_dim`` is None.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        latent_dim: int,
        *,
        head_dim: int | None = None,
        rotary: RotaryEmbedding | None = None,
        eps: float = 1e-6,
        device=None,
        dtype=None,
    ):
        super().__init__()
        check_positive(d_model=d_model, num_heads=num_heads, latent_dim=latent_dim)
        if head_dim is None:
            check_heads(d_model, num_heads)
            head_dim = d_model // num_heads
        check_positive(head_dim=head_dim)
        self.d_model, self.num_heads, self.head_dim = d_model, num_heads, head_dim
        self.latent_dim, self.rotary = latent_dim, rotary
        self.rotary_dim = 0 if rotary is None else rotary.head_dim
        factory = {"device": device, "dtype": dtype}
        options = {"bias": False} | factory
        wide = num_heads * head_dim
        self.query_up = nn.Linear(d_model, wide, **options)  # W_UQ
        self.latent_down = nn.Linear(d_model, latent_dim, **options)  # W_DKV
        self.latent_norm = nn.RMSNorm(latent_dim, eps=eps, **factory)
        self.key_up = nn.Linear(latent_dim, wide, **options)  # W_UK
        self.value_up = nn.Linear(latent_dim, wide, **options)  # W_UV
        if rotary is not None:
            self.rotary_query = nn.Linear(d_model, num_heads * self.rotary_dim, **options)  # W_QR
            self.rotary_key = nn.Linear(d_model, self.rotary_dim, **options)  # W_KR
        self.out_proj = nn.Linear(wide, d_model, **options)  # W_O
        for module in self.children():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)

    def make_cache(self, batch_size: int, max_len: int) -> LatentCache:
        """Return an empty ``LatentCache`` for rows (batch_size, max_len, latent_dim + rotary_dim).

        It takes the device and dtype of the first rows that come, and memory only then.
        """
        features = self.latent_dim + self.rotary_dim
        return LatentCache(batch_size, max_len, features, device="meta")

    @leaves_caches_whole
    def forward(
        self,
        query: torch.Tensor,
        *,
        mask: torch.Tensor | None = None,
        is_causal: bool = False,
        need_weights: bool = False,
        cache: LatentCache | None = None,
        absorb: bool | None = None,
        positions: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Attend from ``query`` to itself and to what the cache holds.

        A query that may attend to nothing gets zeros, with finite gradients. Lengths and batch
        may be 0.

        Args:
            query: (batch, query_len, d_model).
            mask, is_causal, need_weights: as in ``MultiHeadAttention``.
            cache: from ``make_cache``; the new rows are appended to it, and the queries see all
                it holds (key_len then counts them all).
            absorb: compute the absorbed form (True) or the plain one (False). None takes the
                absorbed one where the cache already holds tokens, and ``key_up`` and ``value_up``
                are each an ``nn.Linear``: of others, ``weight`` need not be the whole map.
            positions: (batch, query_len), integers: the position of each token, for the rotary
                parts; see ``RotaryEmbedding``.

        Returns:
            output (batch, query_len, d_model), and the weights
            (batch, num_heads, query_len, key_len), or None without ``need_weights``.

        Raises:
            TypeError, ValueError: the inputs or the mask do not fit, or the cache overflows.
            RuntimeError: a cache is given, and a gradient would be needed.
        """
        check_sequences(query, query, query, self.latent_down, self.d_model)
        check_rotary(positions, self.rotary)
        if absorb:
            check_linear(key_up=self.key_up, value_up=self.value_up)
        offset = 0 if cache is None else cache.length
        batch, query_len, _ = query.shape
        if mask is not None:
            shape = torch.Size((batch, self.num_heads, query_len, offset + query_len))
            check_head_mask(mask, shape, query.device)

        # q: (batch, num_heads, query_len, head_dim)
        q = split_heads(self.query_up(query), self.num_heads)
        rows = self.latent_norm(self.latent_down(query)).to(q.dtype)
        where = {"offset": offset} if positions is None else {"positions": positions}
        if self.rotary is not None:
            turned = self.rotary(self.rotary_key(query).to(q.dtype), **where)
            rows = torch.cat((rows, turned), dim=-1)
        # rows: (batch, query_len, latent_dim + rotary_dim), all that is kept
        rows = rows if cache is None else cache.append(rows)
        rotary_q = q[..., :0]
        if self.rotary is not None:
            rotary_q = split_heads(self.rotary_query(query), self.num_heads).to(q.dtype)
            rotary_q = self.rotary(rotary_q, **where)

        if absorb is None:
            absorb = offset > 0 and all(map(is_linear, (self.key_up, self.value_up)))
        attend = self._attend_absorbed if absorb else self._attend_plain
        hidden = {"mask": mask, "is_causal": is_causal}
        heads, weights = attend(q, rotary_q, rows, need_weights, **hidden)
        # joined: (batch, query_len, num_heads * head_dim)
        return self.out_proj(join_heads(heads)), weights

    def _attend_plain(self, q, rotary_q, rows, need_weights, **hidden):
        latent, rotary_key = rows.split((self.latent_dim, self.rotary_dim), dim=-1)
        # k and v: (batch, num_heads, key_len, head_dim)
        k = split_heads(self.key_up(latent), self.num_heads).to(q.dtype)
        v = split_heads(self.value_up(latent), self.num_heads).to(q.dtype)
        shared = rotary_key[:, None].expand(-1, self.num_heads, -1, -1)
        q, k = torch.cat((q, rotary_q), dim=-1), torch.cat((k, shared), dim=-1)
        return self._attend(q, k, v, need_weights, **hidden)

    def _attend_absorbed(self, q, rotary_q, rows, need_weights, *, mask, is_causal):
        key_up = self.key_up.weight.view(self.num_heads, self.head_dim, self.latent_dim)
        value_up = self.value_up.weight.view(self.num_heads, self.head_dim, self.latent_dim)
        q = torch.cat((q @ key_up, rotary_q), dim=-1)  # (..., query_len, latent_dim + rotary_dim)
        # One key for all heads: the row itself. It is the value too, but for its rotary part.
        k = rows[:, None]  # (batch, 1, key_len, latent_dim + rotary_dim)
        is_single = q.shape[-2] == 1  # the heads of one query are num_heads queries of one head
        if is_single:
            is_causal = False  # it sees all keys
            if mask is not None:
                mask = mask.expand(*q.shape[:-1], k.shape[-2]).transpose(1, 2)
            q = q.transpose(1, 2)  # (batch, 1, num_heads, latent_dim + rotary_dim)
        else:
            k = k.expand(-1, self.num_heads, -1, -1)
        heads, weights = self._attend(q, k, k, need_weights, mask=mask, is_causal=is_causal)
        if is_single:
            heads = heads.transpose(1, 2)
            weights = None if weights is None else weights.transpose(1, 2)
        latent = heads[..., : self.latent_dim]  # (batch, num_heads, query_len, latent_dim)
        return latent @ value_up.transpose(-2, -1), weights

    def _attend(self, q, k, v, need_weights, *, mask, is_causal):
        scale = 1 / math.sqrt(self.head_dim + self.rotary_dim)  # in both forms
        if need_weights:
            return scaled_dot_product_attention(
                q, k, v, mask=mask, is_causal=is_causal, scale=scale
            )
        value_dim = v.shape[-1]
        # The fused kernels want one size for key and value: the value gets zeros behind it.
        v = v if v is k else F.pad(v, (0, k.shape[-1] - value_dim))
        heads = fused_attention(q, k, v, mask=mask, is_causal=is_causal, scale=scale)
        return heads[..., :value_dim], None
