"""A transformer that reads one sequence and writes another: an encoder, and a decoder that asks it.

Follows Vaswani et al. 2017, figure 1. ``DecoderLM`` is the same without the encoder.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple, cast

import torch
from torch import nn

from course_lib.attention.cache import KVCache, leaves_caches_whole
from course_lib.attention.positions import (
    LearnedPositions,
    model_positions,
    positions_behind_padding,
)
from course_lib.model.block import TransformerStack, eval_mode
from course_lib.validation.layer_inputs import (
    check_boolean,
    check_not_negative,
    check_positive,
    check_tokens,
)


class ThreeWeights(NamedTuple):
    """The weights of the three attentions, for each layer (batch, num_heads, queries, keys)."""

    encoder: list[torch.Tensor]  # the source reads itself: (batch, num_heads, S, S)
    decoder: list[torch.Tensor]  # the target reads what is written: (batch, num_heads, T, T)
    cross: list[torch.Tensor]  # the target reads the source: (batch, num_heads, T, S)


class DecoderCaches(NamedTuple):
    """What a decoder keeps while it writes: a pair of caches for each of its blocks."""

    written: list[KVCache]  # of the self-attention: they grow with every token
    memory: list[KVCache]  # of the cross-attention: filled once


class EncoderDecoder(nn.Module):
    """A transformer as in 2017: encoder, decoder, and a map to the next token's logits.

    The defaults are the paper's: norms after each residual sum, ReLU, sinusoidal positions,
    and embeddings times sqrt(d_model) (section 3.4). With ``final_norm=True`` it is
    ``nn.Transformer`` between embeddings and a linear map.

    Args:
        source_vocab_size, target_vocab_size: number of tokens on each side.
        d_model, num_heads, d_ff: of the blocks of both stacks.
        num_layers: number of blocks of the encoder, and of the decoder.
        num_decoder_layers: of the decoder, where it has another number.
        max_len: longest sequence, on either side; needed for learned positions only.
        positions: "sinusoidal", "learned" or "none".
        dropout: probability of dropping, also on the embeddings.
        options: the other arguments of ``TransformerStack``.

    Raises:
        TypeError, ValueError: the settings do not fit together.
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
        d_model: int,
        num_heads: int,
        num_layers: int,
        d_ff: int | None = None,
        *,
        num_decoder_layers: int | None = None,
        max_len: int | None = None,
        positions: str = "sinusoidal",
        norm_first: bool = False,
        activation: str = "relu",
        dropout: float = 0.0,
        device=None,
        dtype=None,
        **options,
    ):
        super().__init__()
        check_positive(source_vocab_size=source_vocab_size, target_vocab_size=target_vocab_size)
        check_positive(d_model=d_model, num_heads=num_heads)
        if positions not in ("sinusoidal", "learned", "none"):
            raise ValueError(
                f"positions must be 'sinusoidal', 'learned' or 'none', got {positions!r}"
            )
        self.d_model, self.target_vocab_size = d_model, target_vocab_size
        factory = {"device": device, "dtype": dtype}
        self.source_embedding = nn.Embedding(source_vocab_size, d_model, **factory)
        self.target_embedding = nn.Embedding(target_vocab_size, d_model, **factory)
        self.head = nn.Linear(d_model, target_vocab_size, bias=False, **factory)
        for embedding in (self.source_embedding, self.target_embedding):
            nn.init.normal_(embedding.weight, std=d_model**-0.5)
        self.source_positions = model_positions(positions, d_model, max_len, **factory)
        self.target_positions = model_positions(positions, d_model, max_len, **factory)
        self.dropout = nn.Dropout(dropout)
        shared: dict[str, Any] = {"norm_first": norm_first, "activation": activation}
        shared |= {"dropout": dropout} | factory | options
        num_decoder_layers = num_layers if num_decoder_layers is None else num_decoder_layers
        self.encoder = TransformerStack(num_layers, d_model, num_heads, d_ff, **shared)
        self.decoder = TransformerStack(
            num_decoder_layers, d_model, num_heads, d_ff, cross_attention=True, **shared
        )

    def forward(
        self,
        source: torch.Tensor,
        target: torch.Tensor,
        *,
        source_mask: torch.Tensor | None = None,
        target_mask: torch.Tensor | None = None,
        need_weights: bool = False,
    ) -> tuple[torch.Tensor, ThreeWeights | None]:
        """Return the logits of each next token of the target.

        Args:
            source: (batch, S), integers below ``source_vocab_size``.
            target: (batch, T), what the decoder reads: in training the right tokens, moved one
                position to the right behind a start token.
            source_mask: (batch, 1, 1, S), boolean, True = may attend: where the source is no
                padding; see ``padding_mask``. For the encoder and for the cross-attention. Behind
                padding on the left, positions count from the first token.
            target_mask: (batch, 1, 1, T), the same for the target, besides the causal mask.
            need_weights: return the weights too.

        Returns:
            logits (batch, T, target_vocab_size), and ``ThreeWeights`` or None.

        Raises:
            TypeError, ValueError: the tokens or masks do not fit.
        """
        memory, encoder_weights = self.encode(source, source_mask, need_weights=need_weights)
        logits, decoder_weights, cross_weights = self.decode(
            target, memory, source_mask, target_mask=target_mask, need_weights=need_weights
        )
        if encoder_weights is None or decoder_weights is None or cross_weights is None:
            return logits, None
        return logits, ThreeWeights(encoder_weights, decoder_weights, cross_weights)

    def encode(
        self,
        source: torch.Tensor,
        source_mask: torch.Tensor | None = None,
        *,
        need_weights: bool = False,
    ) -> tuple[torch.Tensor, list[torch.Tensor] | None]:
        """Read the source: return the memory, (batch, S, d_model), and the encoder's weights.

        Arguments and errors are those of ``forward``.
        """
        check_tokens("source", source)
        _check_padding_mask("source_mask", source_mask, source)
        x = self._embed(source, self.source_embedding, self.source_positions, source_mask)
        memory, weights, _ = self.encoder(x, mask=source_mask, need_weights=need_weights)
        return memory, weights

    @leaves_caches_whole
    def decode(
        self,
        target: torch.Tensor,
        memory: torch.Tensor,
        source_mask: torch.Tensor | None = None,
        *,
        target_mask: torch.Tensor | None = None,
        caches: DecoderCaches | None = None,
        need_weights: bool = False,
    ) -> tuple[torch.Tensor, list[torch.Tensor] | None, list[torch.Tensor] | None]:
        """Return the logits of each next token, from the target so far and the memory.

        Args:
            target: (batch, T); with caches the new tokens only, which follow those in the caches.
            memory: (batch, S, d_model), from ``encode``.
            source_mask, need_weights: as in ``forward``, for the cross-attention.
            target_mask: as in ``forward``; with caches it covers the tokens in them too.
            caches: from ``make_caches``. The memory's keys and values are computed at the first
                call and kept; those of the target are added.

        Returns:
            logits (batch, T, target_vocab_size); the weights of the self-attention and of the
            cross-attention, a list each with one tensor per layer, or None.

        Raises:
            TypeError, ValueError: the tokens, memory, masks or caches do not fit.
            RuntimeError: caches are given, and a gradient would be needed.
        """
        check_tokens("target", target)
        batch_size = target.shape[0]
        if memory.dim() != 3 or memory.shape[::2] != (batch_size, self.d_model):
            raise ValueError(
                f"memory must have shape (batch={batch_size}, S, d_model={self.d_model}), "
                f"got {tuple(memory.shape)}"
            )
        _check_padding_mask("source_mask", source_mask, memory)
        known = 0 if caches is None else caches.written[0].length
        _check_padding_mask("target_mask", target_mask, target, known)
        x, weights, cross_weights = self.decoder(
            self._embed(target, self.target_embedding, self.target_positions, target_mask, known),
            memory,
            mask=target_mask,
            memory_mask=source_mask,
            is_causal=True,
            caches=None if caches is None else caches.written,
            memory_caches=None if caches is None else caches.memory,
            need_weights=need_weights,
        )
        return self.head(x), weights, cross_weights

    def make_caches(self, batch_size: int, max_len: int, memory_len: int) -> DecoderCaches:
        """Return empty caches for each block of the decoder, which its attentions make.

        There is room for ``max_len`` target tokens and ``memory_len`` tokens of the memory, of
        ``batch_size`` targets, 0 or more.

        Raises:
            TypeError, ValueError: a size is not a positive integer (``batch_size`` may be 0).
        """
        blocks = list(cast(Iterable[Any], self.decoder.blocks))
        return DecoderCaches(
            [block.attention.make_cache(batch_size, max_len) for block in blocks],
            [block.cross_attention.make_cache(batch_size, memory_len) for block in blocks],
        )

    @torch.no_grad()
    def generate(
        self,
        source: torch.Tensor,
        max_new_tokens: int,
        *,
        start: int,
        end: int | None = None,
        pad: int = 0,
        source_mask: torch.Tensor | None = None,
        use_cache: bool = True,
    ) -> torch.Tensor:
        """Write the target of each source, without dropout, greedily.

        Args:
            source, source_mask: as in ``forward``.
            max_new_tokens: the most tokens to write, the end token included.
            start: the token that the decoder reads first.
            end: the token that ends a target; None when all have ``max_new_tokens``.
            pad: fills up behind the end token.
            use_cache: keep keys and values instead of computing them anew for each token.

        Returns:
            (batch, new_len), without the start token; new_len is at most ``max_new_tokens``.

        Raises:
            TypeError, ValueError: the tokens or the mask do not fit, a setting is out of range,
                or learned positions do not reach so far.
        """
        check_tokens("source", source)
        check_positive(max_new_tokens=max_new_tokens)
        special = {"start": start, "pad": pad} | ({} if end is None else {"end": end})
        check_not_negative(**special)
        for name, token in special.items():
            if token >= self.target_vocab_size:
                raise ValueError(
                    f"{name} must be a token below target_vocab_size={self.target_vocab_size}, "
                    f"got {token}"
                )
        positions = self.target_positions
        if isinstance(positions, LearnedPositions) and max_new_tokens > positions.max_len:
            raise ValueError(
                f"max_new_tokens must be at most max_len={positions.max_len}, got {max_new_tokens}"
            )
        with eval_mode(self):
            memory, _ = self.encode(source, source_mask)
            caches = None
            if use_cache:
                caches = self.make_caches(len(memory), max_new_tokens, max(source.shape[1], 1))
            tokens = torch.full((len(source), 1), start, device=source.device)
            has_ended = torch.zeros_like(tokens, dtype=torch.bool)  # (batch, 1)
            for _ in range(max_new_tokens):
                read = tokens[:, -1:] if use_cache else tokens
                logits, _, _ = self.decode(read, memory, source_mask, caches=caches)
                new = logits[:, -1:].argmax(dim=-1).masked_fill(has_ended, pad)  # (batch, 1)
                tokens = torch.cat((tokens, new), dim=1)
                if end is not None:
                    has_ended |= new == end
                    if has_ended.all():
                        break
        return tokens[:, 1:]

    def _embed(self, tokens, embedding, positions, mask, known=0):
        """Vectors and positions; ``mask``, (batch, 1, 1, known + length), says where rows begin."""
        x = embedding(tokens) * self.d_model**0.5  # (batch, length, d_model)
        if positions is not None:
            where = {"offset": known}
            if mask is not None:
                where = {"positions": positions_behind_padding(mask[:, 0, 0])[:, known:]}
            x = positions(x, **where)
        return self.dropout(x)


def _check_padding_mask(
    name: str, mask: torch.Tensor | None, sequence: torch.Tensor, known: int = 0
) -> None:
    """Refuse what is no boolean (batch, 1, 1, known + length) for a (batch, length, ...)."""
    if mask is None:
        return
    check_boolean(name, mask)
    shape = (sequence.shape[0], 1, 1, known + sequence.shape[1])
    if mask.shape != shape:
        raise ValueError(
            f"{name} must have shape (batch, 1, 1, length) = {shape}, as padding_mask makes it, "
            f"got {tuple(mask.shape)}"
        )
