"""A language model of transformer blocks that can see the past only, and how it writes on."""

from collections.abc import Iterable
from typing import cast

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.attention.cache import KVCache, leaves_caches_whole
from course_lib.attention.positions import (
    LearnedPositions,
    RotaryEmbedding,
    model_positions,
    positions_behind_padding,
)
from course_lib.model.block import TransformerBlock, TransformerStack, eval_mode
from course_lib.validation.layer_inputs import (
    check_boolean,
    check_not_negative,
    check_number,
    check_positions,
    check_positive,
    check_tokens,
)


class DecoderLM(nn.Module):
    """A small GPT: embeddings, causal blocks, and a linear map to the next token's logits.

    Follows Radford et al. 2019 (GPT-2): with its sizes, learned positions, tied embeddings and
    ``activation="gelu_tanh"`` it is GPT-2. With ``norm="rms"``, ``gated=True``,
    ``activation="silu"``, ``bias=False`` and rotary positions it is Llama (Touvron et al. 2023).

    Args:
        vocab_size: number of tokens.
        d_model, num_heads, num_layers, d_ff: of the blocks.
        max_len: longest sequence that learned positions can tell apart; needed for them only.
        positions: "learned", "sinusoidal", "rotary" or "none".
        rotary_base, rotary_pairing: of rotary positions, see ``RotaryEmbedding``.
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
        rotary_base: float = 10000.0,
        rotary_pairing: str = "halves",
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
        if positions != "rotary" and (rotary_base, rotary_pairing) != (10000.0, "halves"):
            raise ValueError(
                "rotary_base and rotary_pairing need positions='rotary', got "
                f"{rotary_base} and {rotary_pairing!r} with positions={positions!r}"
            )
        factory = {"device": device, "dtype": dtype}
        self.embedding = nn.Embedding(vocab_size, d_model, **factory)
        nn.init.normal_(self.embedding.weight, std=0.02)
        self.positions = model_positions(positions, d_model, max_len, **factory)
        rotary = None
        if positions == "rotary":
            rotary = RotaryEmbedding(d_model // num_heads, base=rotary_base, pairing=rotary_pairing)
        self.dropout = nn.Dropout(dropout)
        options = dict(dropout=dropout, rotary=rotary, **factory, **options)
        self.stack = TransformerStack(num_layers, d_model, num_heads, d_ff, **options)
        self.head = nn.Linear(d_model, vocab_size, bias=False, **factory)
        if tie_embeddings:
            self.head.weight = self.embedding.weight

    @leaves_caches_whole
    def forward(
        self,
        tokens: torch.Tensor,
        *,
        mask: torch.Tensor | None = None,
        positions: torch.Tensor | None = None,
        caches: list[KVCache] | None = None,
        need_weights: bool = False,
        logits_to_keep: int | None = None,
    ) -> tuple[torch.Tensor, list[torch.Tensor] | None]:
        """Return the logits of each next token.

        Args:
            tokens: (batch, length), integers below ``vocab_size``.
            mask: boolean, True = may attend, besides the causal one; see ``MultiHeadAttention``.
                It hides and does not move: behind padding on the left, give ``positions`` too.
            positions: (batch, length), integers: the position of each token where it is not its
                place in the row, as behind padding on the left. A model without positions takes
                them and does not need them.
            caches: from ``make_caches``; ``tokens`` then follow the tokens in them.
            need_weights: return the weights too.
            logits_to_keep: compute the logits of the last so many positions only, as transformers
                calls it: with a large vocabulary they are much of the work. All when it is None.

        Returns:
            logits (batch, length or ``logits_to_keep``, vocab_size), and for each layer the weights
            (batch, num_heads, length, key_len), or None.

        Raises:
            TypeError, ValueError: the tokens, mask, positions or caches do not fit, or
                ``logits_to_keep`` is negative.
            RuntimeError: caches are given, and a gradient would be needed.
        """
        check_tokens("tokens", tokens)
        if logits_to_keep is not None:
            check_not_negative(logits_to_keep=logits_to_keep)
        x = self.embedding(tokens)  # (batch, length, d_model)
        if positions is not None:
            check_positions(positions, x)
        if self.positions is not None:
            x = self.positions(x, caches[0].length if caches else 0, positions)
        options = {"mask": mask, "is_causal": True, "positions": positions, "caches": caches}
        x, weights, _ = self.stack(self.dropout(x), need_weights=need_weights, **options)
        if logits_to_keep is not None:
            x = x[:, max(x.shape[1] - logits_to_keep, 0) :]
        return self.head(x), weights

    def make_caches(self, batch_size: int, max_len: int) -> list[KVCache]:
        """Return an empty cache for each block, of the kind that its attention makes.

        Args:
            batch_size: number of sequences, 0 or more.
            max_len: how many tokens there is room for.

        Raises:
            TypeError, ValueError: a size is not a positive integer (``batch_size`` may be 0), or an
                attention that somebody put into a block has no ``make_cache``.
        """
        caches = []
        for block in cast(Iterable[TransformerBlock], self.stack.blocks):  # a ModuleList
            attention = block.attention
            if not hasattr(attention, "make_cache"):
                raise TypeError(
                    f"{type(attention).__name__} has no make_cache(batch_size, max_len): make the "
                    "caches yourself, or generate with use_cache=False"
                )
            caches.append(attention.make_cache(batch_size, max_len))
        return caches

    @torch.no_grad()
    def generate(
        self,
        tokens: torch.Tensor,
        max_new_tokens: int,
        *,
        mask: torch.Tensor | None = None,
        temperature: float = 0.0,
        top_k: int | None = None,
        use_cache: bool = True,
        generator: torch.Generator | None = None,
    ) -> torch.Tensor:
        """Continue the tokens, without dropout.

        Args:
            tokens: (batch, length), at least one each.
            max_new_tokens: how many to add.
            mask: (batch, length), boolean, True = a token, False = padding on the left of it, so
                that prompts of unequal length make one batch. Each is continued as it is alone.
                (Attention whose memory is a state, as ``LinearAttention``, takes no mask.)
            temperature: 0 takes the most likely token; otherwise the logits are divided by it and
                a token is drawn.
            top_k: draw from the ``top_k`` most likely tokens only.
            use_cache: keep keys and values instead of computing them anew for each token.
            generator: draws the tokens, on the model's device.

        Returns:
            (batch, length + max_new_tokens), the given tokens first.

        Raises:
            TypeError: the tokens are not integers, the mask is not boolean, or a block's attention
                can make no cache.
            ValueError: there is no token to start from, the mask has another shape or does not end
                in a token, a setting is out of range, or learned positions do not reach so far.
        """
        check_tokens("tokens", tokens)
        check_not_negative(max_new_tokens=max_new_tokens)
        check_number(temperature=temperature)
        total = tokens.shape[1] + max_new_tokens
        if tokens.shape[1] == 0:
            raise ValueError("tokens must hold at least one token to continue, got length 0")
        longest = tokens.shape[1]
        if mask is not None:
            _check_left_padding(mask, tokens)
            longest = int(mask.sum(dim=1).max()) if len(mask) else 0
        known = self.positions.max_len if isinstance(self.positions, LearnedPositions) else None
        if known is not None and longest + max_new_tokens > known:
            raise ValueError(
                f"max_new_tokens must keep the length within max_len={known}, "
                f"got {longest} + {max_new_tokens}"
            )
        if temperature < 0:
            raise ValueError(f"temperature must be 0 or more, got {temperature}")
        if top_k is not None:
            check_positive(top_k=top_k)
        with eval_mode(self):
            caches = self.make_caches(tokens.shape[0], total) if use_cache else None
            keys = positions = None
            new = tokens
            for _ in range(max_new_tokens):
                read = new if use_cache else tokens
                if mask is not None:
                    keys = mask[:, None, None]  # (batch, 1, 1, length)
                    positions = positions_behind_padding(mask)[:, -read.shape[1] :]
                    mask = F.pad(mask, (0, 1), value=True)  # the next token is no padding
                logits, _ = self(
                    read, mask=keys, positions=positions, caches=caches, logits_to_keep=1
                )
                new = _pick(logits[:, -1], temperature, top_k, generator)  # (batch, 1)
                tokens = torch.cat((tokens, new), dim=1)
        return tokens


def _check_left_padding(mask: torch.Tensor, tokens: torch.Tensor) -> None:
    """Refuse what is not a boolean (batch, length) with True wherever a row's tokens have begun."""
    check_boolean("mask", mask, "a token")
    if mask.shape != tokens.shape:
        raise ValueError(
            f"mask must have the tokens' shape {tuple(tokens.shape)}, got {tuple(mask.shape)}"
        )
    if not mask[:, -1].all() or (mask[:, :-1] & ~mask[:, 1:]).any():
        raise ValueError(
            "mask must have its padding (False) on the left of each row and end in a token (True): "
            "a model continues the last column"
        )


def _pick(logits, temperature, top_k, generator):
    if temperature == 0:
        return logits.argmax(dim=-1, keepdim=True)
    top_k = min(top_k or logits.shape[-1], logits.shape[-1])
    values, candidates = (logits.float() / temperature).topk(top_k, dim=-1)  # (batch, top_k)
    drawn = torch.multinomial(values.softmax(dim=-1), 1, generator=generator)  # (batch, 1)
    return candidates.gather(-1, drawn)
