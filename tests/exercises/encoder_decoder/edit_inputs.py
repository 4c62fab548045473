"""Inputs for the exercises on encoder and decoder, other than the checks' own."""

import functools

import torch

from course_checks.exercises.encoder_decoder.beam_cases import next_token
from course_checks.exercises.encoder_decoder.broken_loops import record_of
from course_checks.exercises.encoder_decoder.decoder_cases import VOCAB_SIZE, SmallDecoder
from course_lib import padding_mask


def decoder(generator, vocab_size, width):
    """Another one than the check's: a running sum beside a masked mean of the memory."""
    embedding, head = (torch.randn(vocab_size, width, generator=generator) for _ in range(2))

    def decode(prefix, memory, source_mask=None):
        steps = torch.arange(1, prefix.shape[1] + 1)[:, None]
        real = torch.ones(1, 1, memory.shape[1]) if source_mask is None else source_mask[:, 0]
        mean = (real.float() @ memory) / real.float().sum(dim=-1, keepdim=True)
        return (((embedding[prefix] * steps).cumsum(dim=1) + 3 * mean) @ head.T), None, None

    return decode


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)
    randint = functools.partial(torch.randint, generator=generator)

    if name == "shift_right":
        for batch, length in ((1, 1), (2, 5), (3, 3), (5, 2)):
            yield randint(1, 50, (batch, length)), int(randint(50, 60, ()))
    elif name == "three_masks":
        for source_len, target_len in ((3, 5), (4, 4), (6, 2)):
            lengths = (randint(1, size + 1, (4,)) for size in (source_len, target_len))
            yield *lengths, source_len, target_len
    elif name == "decoder_step":
        for batch, length, source_len in ((1, 2, 3), (3, 1, 4), (4, 4, 4), (5, 3, 6)):
            mask = padding_mask(randint(1, source_len + 1, (batch,)), source_len)
            memory = randn(batch, source_len, 5)
            yield decoder(generator, 9, 5), randint(9, (batch, length)), memory, mask
    elif name == "greedy_decode":
        for batch, most in ((1, 6), (4, 8), (5, 3), (2, 12), (3, 7), (4, 10)):
            step = SmallDecoder(randn(VOCAB_SIZE, 4), randn(4, VOCAB_SIZE))
            yield step, 2 * randn(batch, 1, 4), 2, most
    elif name == "beam_search":
        for size, num_beams, most in ((5, 2, 4), (5, 3, 5), (3, 2, 6), (4, 1, 3), (3, 5, 3)) * 3:
            yield next_token(generator, size, 0.5), num_beams, 0, most
    elif name == "broken_loops":
        for kinds in ("012345", "hgrwn", "5432100", "2w3n4h"):
            yield (tuple(record_of(generator, kind) for kind in kinds),)
