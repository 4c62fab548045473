"""A small decoder for the cases: causal, and all that it is given matters."""

import torch
from torch import arange, tensor

from course_checks.exercise import Case, randn

VOCAB = 11


def small_decoder(generator, width=6):
    """decode(prefix, memory, source_mask) -> (logits, None, None), as ``EncoderDecoder.decode``."""
    embedding, positions, head = (randn(generator, n, width) for n in (VOCAB, 16, VOCAB))
    head[0] *= 2  # so that token 0, too, is the likeliest now and then

    def decode(prefix, memory, source_mask=None):
        if prefix.dim() != 2 or prefix.shape[1] == 0:
            raise ValueError(f"prefix must be (batch, length), got {tuple(prefix.shape)}")
        x = embedding[prefix] * positions[: prefix.shape[1]]  # (batch, length, width)
        scores = x @ memory.transpose(-2, -1)  # (batch, length, source_len)
        if source_mask is not None:
            scores = scores.masked_fill(~source_mask[:, 0], -torch.inf)
        x = 1.5 * scores.softmax(dim=-1) @ memory + x.cumsum(dim=1)
        return x @ head.T, None, None

    return decode


def _step(generator, batch, length, source_lengths, source_len):
    prefix = torch.randint(1, VOCAB, (batch, length), generator=generator, device="cpu")
    prefix[:, 0] = 0  # the start token
    prefix[-1, -1] = 0  # and a token like any other
    real = arange(source_len, device="cpu") < tensor(source_lengths, device="cpu")[:, None]
    memory = randn(generator, batch, source_len, 6)
    memory = torch.where(real[..., None], memory, 4 * memory)
    words = f"{batch} prefixes of {length} tokens, {source_len} source tokens"
    return Case((small_decoder(generator), prefix, memory, real[:, None, None, :]), label=words)


def simple(generator):
    """No source has padding."""
    return [
        _step(generator, batch, length, [source_len] * batch, source_len)
        for batch, length, source_len in ((2, 1, 3), (4, 3, 5), (6, 5, 4), (8, 4, 3))
    ]


def one_size(generator):
    return [
        _step(generator, 1, 4, [5], 5),
        _step(generator, 4, 4, [4] * 4, 4),
        _step(generator, VOCAB, VOCAB, [VOCAB] * VOCAB, VOCAB),
        _step(generator, 1, 1, [1], 1),
    ]


def padded(generator):
    return [
        _step(generator, 3, 2, [1, 2, 4], 4),
        _step(generator, 8, 4, [2, 3, 1, 4, 2, 3, 5, 1], 6),
        _step(generator, 8, 3, [3, 2, 1, 4, 2, 3, 1, 1], 5),
    ]
