"""The transformer: attention and a feed-forward network around a residual stream.

Follows Vaswani et al. 2017, section 3. ``norm_first=False`` is its order, LayerNorm after each
residual sum; ``norm_first=True`` normalises what each sublayer reads (Xiong et al. 2020), as GPT-2.
"""

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.attention import MultiHeadAttention
from course_lib.cache import KVCache
from course_lib.positions import LearnedPositions, RotaryEmbedding, SinusoidalPositions
from course_lib.validation import check_positive, check_probability

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu}


class FeedForward(nn.Module):
    """Two linear maps with an activation between them, applied to each position alone.

    Vaswani et al. 2017, equation 2. Dropout falls on the hidden features only; the block that
    holds it drops the output, once.

    Args:
        d_model: features in and out.
        d_ff: hidden features.
        activation: "relu" or "gelu".
        dropout: probability of dropping a hidden feature in training.
        bias: whether the linear maps have one.
        device, dtype: of the parameters.

    Raises:
        TypeError, ValueError: a size is not a positive integer, or no such activation.
    """

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        *,
        activation: str = "gelu",
        dropout: float = 0.0,
        bias: bool = True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        check_positive(d_model=d_model, d_ff=d_ff)
        check_probability("dropout", dropout)
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation must be one of {list(ACTIVATIONS)}, got {activation!r}")
        self.activation = activation
        options = {"bias": bias, "device": device, "dtype": dtype}
        self.up_proj = nn.Linear(d_model, d_ff, **options)
        self.down_proj = nn.Linear(d_ff, d_model, **options)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (..., d_model) for x of (..., d_model)."""
        hidden = ACTIVATIONS[self.activation](self.up_proj(x))  # (..., d_ff)
        return self.down_proj(self.dropout(hidden))


class TransformerBlock(nn.Module):
    """Self-attention, cross-attention if asked for, and a feed-forward network.

    Args:
        d_model: features of the residual stream.
        num_heads: attention heads.
        d_ff: hidden features of the feed-forward network; 4 * d_model when it is None, and no
            such network when it is 0.
        cross_attention: whether the block also attends to a memory, as a decoder block does.
        norm_first: normalise before each sublayer (True) or after each residual sum (False).
        activation: "relu" or "gelu".
        dropout: probability of dropping, in training: weights, hidden features, and what each
            sublayer adds to the residual stream.
        bias: whether the linear maps and the norms have one.
        eps: added to the variance in LayerNorm.
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
        activation: str = "gelu",
        dropout: float = 0.0,
        bias: bool = True,
        eps: float = 1e-5,
        num_kv_heads: int | None = None,
        rotary: RotaryEmbedding | None = None,
        device=None,
        dtype=None,
    ):
        super().__init__()
        check_probability("dropout", dropout)
        d_ff = 4 * d_model if d_ff is None else d_ff
        self.norm_first = norm_first
        self.dropout = nn.Dropout(dropout)
        shared = {"bias": bias, "device": device, "dtype": dtype}
        heads = {"num_kv_heads": num_kv_heads, "dropout": dropout} | shared
        self.attention_norm = nn.LayerNorm(d_model, eps=eps, **shared)
        self.attention = MultiHeadAttention(d_model, num_heads, rotary=rotary, **heads)
        self.cross_attention = self.cross_norm = None
        if cross_attention:
            self.cross_norm = nn.LayerNorm(d_model, eps=eps, **shared)
            self.cross_attention = MultiHeadAttention(d_model, num_heads, **heads)
        self.feed_forward = self.feed_forward_norm = None
        if d_ff != 0:
            self.feed_forward_norm = nn.LayerNorm(d_model, eps=eps, **shared)
            self.feed_forward = FeedForward(
                d_model, d_ff, activation=activation, dropout=dropout, **shared
            )

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
        update, weights = self.attention(
            self._before(x, self.attention_norm),
            mask=mask,
            is_causal=is_causal,
            need_weights=need_weights,
            cache=cache,
        )
        x = self._add(x, update, self.attention_norm)
        cross_weights = None
        if memory is not None:
            update, cross_weights = self.cross_attention(
                self._before(x, self.cross_norm),
                memory,
                mask=memory_mask,
                need_weights=need_weights,
            )
            x = self._add(x, update, self.cross_norm)
        if self.feed_forward is not None:
            update = self.feed_forward(self._before(x, self.feed_forward_norm))
            x = self._add(x, update, self.feed_forward_norm)
        return x, weights, cross_weights

    def _before(self, x: torch.Tensor, norm: nn.LayerNorm) -> torch.Tensor:
        return norm(x) if self.norm_first else x

    def _add(self, x: torch.Tensor, update: torch.Tensor, norm: nn.LayerNorm) -> torch.Tensor:
        x = x + self.dropout(update)
        return x if self.norm_first else norm(x)

    @classmethod
    def from_torch(
        cls, layer: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer
    ) -> "TransformerBlock":
        """Return a copy of torch's layer: see ``course_lib.conversion.block_from_torch``."""
        from course_lib.conversion import block_from_torch  # which imports this class

        return block_from_torch(layer)


class TransformerStack(nn.Module):
    """Blocks one after the other: an encoder, or with ``cross_attention`` a decoder.

    Args:
        num_layers: number of blocks.
        d_model, num_heads, d_ff: of each block.
        final_norm: whether a LayerNorm follows the last block; as ``norm_first`` when it is None,
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
        final_norm: bool | None = None,
        **options,
    ):
        super().__init__()
        check_positive(num_layers=num_layers)
        self.blocks = nn.ModuleList(
            TransformerBlock(d_model, num_heads, d_ff, norm_first=norm_first, **options)
            for _ in range(num_layers)
        )
        self.norm = None
        if norm_first if final_norm is None else final_norm:
            names = ("eps", "bias", "device", "dtype")
            shared = {name: value for name, value in options.items() if name in names}
            self.norm = nn.LayerNorm(d_model, **shared)

    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor | None = None,
        *,
        caches: list[KVCache] | None = None,
        need_weights: bool = False,
        **masks,
    ) -> tuple[torch.Tensor, list[torch.Tensor] | None, list[torch.Tensor] | None]:
        """Send x through all blocks.

        Args:
            x: (batch, length, d_model).
            memory: (batch, memory_len, d_model), for a decoder.
            caches: one for each block.
            need_weights: return the weights too.
            masks: ``mask``, ``memory_mask`` and ``is_causal``, as ``TransformerBlock`` takes them.

        Returns:
            x (batch, length, d_model); the weights of the self-attention, a list with
            (batch, num_heads, length, key_len) for each block; the same of the cross-attention.
            The lists are None if not asked for or not there.

        Raises:
            TypeError, ValueError: the inputs or masks do not fit.
        """
        if caches is not None and len(caches) != len(self.blocks):
            raise ValueError(f"caches must be {len(self.blocks)}, one a block, got {len(caches)}")
        all_weights, all_cross_weights = [], []
        for i, block in enumerate(self.blocks):
            cache = None if caches is None else caches[i]
            x, weights, cross_weights = block(
                x, memory, cache=cache, need_weights=need_weights, **masks
            )
            all_weights.append(weights)
            all_cross_weights.append(cross_weights)
        if self.norm is not None:
            x = self.norm(x)
        has_cross = need_weights and memory is not None
        return x, all_weights if need_weights else None, all_cross_weights if has_cross else None


class DecoderLM(nn.Module):
    """A small GPT: embeddings, causal blocks, and a linear map to the next token's logits.

    Follows Radford et al. 2019 (GPT-2): with its sizes, learned positions and tied embeddings it
    has GPT-2's number of parameters.

    Args:
        vocab_size: number of tokens.
        d_model, num_heads, num_layers, d_ff: of the blocks.
        max_len: longest sequence that learned positions can tell apart; needed for them only.
        positions: "learned", "sinusoidal", "rotary" or "none".
        tie_embeddings: whether the output map is the token embedding itself.
        dropout: probability of dropping, also on the embeddings.
        options: the other arguments of ``TransformerStack``.

    Raises:
        TypeError, ValueError: the settings do not fit together.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        num_heads: int,
        num_layers: int,
        d_ff: int | None = None,
        *,
        max_len: int | None = None,
        positions: str = "learned",
        tie_embeddings: bool = False,
        dropout: float = 0.0,
        device=None,
        dtype=None,
        **options,
    ):
        super().__init__()
        check_positive(vocab_size=vocab_size, d_model=d_model, num_heads=num_heads)
        if positions not in ("learned", "sinusoidal", "rotary", "none"):
            raise ValueError(
                f"positions must be 'learned', 'sinusoidal', 'rotary' or 'none', got {positions!r}"
            )
        factory = {"device": device, "dtype": dtype}
        self.embedding = nn.Embedding(vocab_size, d_model, **factory)
        nn.init.normal_(self.embedding.weight, std=0.02)
        self.positions = rotary = None
        if positions == "learned":
            if max_len is None:
                raise ValueError("max_len must be given for learned positions, got None")
            self.positions = LearnedPositions(max_len, d_model, **factory)
        elif positions == "sinusoidal":
            self.positions = SinusoidalPositions(d_model)
        elif positions == "rotary":
            rotary = RotaryEmbedding(d_model // num_heads)
        self.dropout = nn.Dropout(dropout)
        self.stack = TransformerStack(
            num_layers,
            d_model,
            num_heads,
            d_ff,
            dropout=dropout,
            rotary=rotary,
            **factory,
            **options,
        )
        self.head = nn.Linear(d_model, vocab_size, bias=False, **factory)
        if tie_embeddings:
            self.head.weight = self.embedding.weight

    def forward(
        self,
        tokens: torch.Tensor,
        *,
        mask: torch.Tensor | None = None,
        caches: list[KVCache] | None = None,
        need_weights: bool = False,
    ) -> tuple[torch.Tensor, list[torch.Tensor] | None]:
        """Return the logits of each next token.

        Args:
            tokens: (batch, length), integers below ``vocab_size``.
            mask: boolean, True = may attend, besides the causal one; see ``MultiHeadAttention``.
            caches: from ``make_caches``; ``tokens`` then follow the tokens in them.
            need_weights: return the weights too.

        Returns:
            logits (batch, length, vocab_size), and for each layer the weights
            (batch, num_heads, length, key_len), or None.

        Raises:
            TypeError, ValueError: the tokens, mask or caches do not fit.
        """
        check_tokens("tokens", tokens)
        x = self.embedding(tokens)  # (batch, length, d_model)
        if self.positions is not None:
            x = self.positions(x, offset=caches[0].length if caches else 0)
        x, weights, _ = self.stack(
            self.dropout(x), mask=mask, is_causal=True, caches=caches, need_weights=need_weights
        )
        return self.head(x), weights

    def make_caches(self, batch_size: int, max_len: int) -> list[KVCache]:
        """Return an empty cache for each block, with room for ``max_len`` tokens."""
        weight = self.embedding.weight
        attentions = [block.attention for block in self.stack.blocks]
        return [
            KVCache(
                batch_size,
                attention.num_kv_heads,
                max_len,
                attention.head_dim,
                device=weight.device,
                dtype=weight.dtype,
            )
            for attention in attentions
        ]

    @torch.no_grad()
    def generate(
        self,
        tokens: torch.Tensor,
        max_new_tokens: int,
        *,
        temperature: float = 0.0,
        top_k: int | None = None,
        use_cache: bool = True,
        generator: torch.Generator | None = None,
    ) -> torch.Tensor:
        """Continue the tokens, without dropout.

        Args:
            tokens: (batch, length), at least one each.
            max_new_tokens: how many to add.
            temperature: 0 takes the most likely token; otherwise the logits are divided by it and
                a token is drawn.
            top_k: draw from the ``top_k`` most likely tokens only.
            use_cache: keep keys and values instead of computing them anew for each token.
            generator: draws the tokens, on the model's device.

        Returns:
            (batch, length + max_new_tokens), the given tokens first.

        Raises:
            TypeError: the tokens are not integers.
            ValueError: there is no token to start from, a setting is out of range, or learned
                positions do not reach so far.
        """
        check_tokens("tokens", tokens)
        total = tokens.shape[1] + max_new_tokens
        if tokens.shape[1] == 0:
            raise ValueError("tokens must hold at least one token to continue, got length 0")
        if max_new_tokens < 0:
            raise ValueError(f"max_new_tokens must be 0 or more, got {max_new_tokens}")
        if isinstance(self.positions, LearnedPositions) and total > self.positions.max_len:
            raise ValueError(
                f"max_new_tokens must keep the length within max_len={self.positions.max_len}, "
                f"got {tokens.shape[1]} + {max_new_tokens}"
            )
        if temperature < 0:
            raise ValueError(f"temperature must be 0 or more, got {temperature}")
        if top_k is not None:
            check_positive(top_k=top_k)
        was_training = self.training
        self.eval()
        try:
            caches = self.make_caches(tokens.shape[0], total) if use_cache else None
            new = tokens
            for _ in range(max_new_tokens):
                logits, _ = self(new if use_cache else tokens, caches=caches)
                new = _pick(logits[:, -1], temperature, top_k, generator)  # (batch, 1)
                tokens = torch.cat((tokens, new), dim=1)
        finally:
            self.train(was_training)
        return tokens


def _pick(logits, temperature, top_k, generator):
    if temperature == 0:
        return logits.argmax(dim=-1, keepdim=True)
    top_k = min(top_k or logits.shape[-1], logits.shape[-1])
    values, candidates = (logits.float() / temperature).topk(top_k, dim=-1)  # (batch, top_k)
    drawn = torch.multinomial(values.softmax(dim=-1), 1, generator=generator)  # (batch, 1)
    return candidates.gather(-1, drawn)


def check_tokens(name: str, tokens: torch.Tensor) -> None:
    """Refuse what is not an integer tensor (batch, length)."""
    if not isinstance(tokens, torch.Tensor) or tokens.dtype not in (torch.int64, torch.int32):
        got = tokens.dtype if isinstance(tokens, torch.Tensor) else type(tokens).__name__
        raise TypeError(f"{name} must be an integer tensor, got {got}")
    if tokens.dim() != 2:
        raise ValueError(f"{name} must have shape (batch, length), got {tuple(tokens.shape)}")
