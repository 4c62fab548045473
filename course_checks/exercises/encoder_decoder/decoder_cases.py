"""Small decoders whose sequences end when the exercise needs it."""

import torch

from course_checks.exercise import Case, randn

VOCAB_SIZE = 7
END = 2


class SmallDecoder:
    """One step of a decoder: it reads the newest tokens, and the cache holds all before.

    Its logits are a linear map of the mean of the cache, which begins with the memory's one vector.
    """

    def __init__(self, embedding, to_logits):
        self.embedding, self.to_logits = embedding, to_logits

    def __call__(self, tokens, cache):
        """Tokens (batch,), cache (batch, length, d): logits (batch, vocab), the longer cache."""
        if tokens.shape != cache.shape[:1]:
            raise ValueError(
                f"step reads the newest tokens alone, of shape (batch,) = ({len(cache)},), "
                f"got {tuple(tokens.shape)}: the earlier ones are in the cache"
            )
        cache = torch.cat([cache, self.embedding[tokens][:, None]], dim=1)
        return (cache.mean(dim=1) + cache[:, -1]) @ self.to_logits, cache


def endings(step, cache, most):
    """Of each sequence: how many tokens it has with its end token, or more than ``most``; and
    whether a 0 stands before that."""
    tokens = torch.zeros(len(cache), dtype=torch.long)
    lengths = torch.full((len(cache),), most + 1)
    has_zero = torch.zeros(len(cache), dtype=torch.bool)
    for length in range(1, most + 1):
        logits, cache = step(tokens, cache)
        tokens = logits.argmax(dim=-1)
        lengths = torch.where(tokens == END, lengths.clamp(max=length), lengths)
        has_zero |= (tokens == 0) & (lengths > length)
    return list(zip(lengths.tolist(), has_zero.tolist(), strict=True))


def _case(generator, lengths, most, words, zeros=(False, True)):
    """Sequences of the wanted lengths: chosen, among many memories, for one decoder.

    ``zeros``: whether a sequence may have a 0 before its end.
    """
    while True:
        step = SmallDecoder(randn(generator, VOCAB_SIZE, 5), randn(generator, 5, VOCAB_SIZE))
        memories = 2 * randn(generator, 200, 1, 5)
        ends = [n if zero in zeros else 0 for n, zero in endings(step, memories, most)]
        if set(lengths) <= set(ends):
            break
    cache = memories[[ends.index(length) for length in lengths]]
    label = f"{words}, end = {END}, max_new_tokens = {most}"
    return Case((step, cache, END, most), label=label)


def one_sequence(generator):
    plain = [_case(generator, [n], 6, f"one sequence of {n} tokens") for n in (2, 3, 3)]
    words = "one sequence of 4 tokens, with a 0 before its end"
    return [*plain, _case(generator, [4], 6, words, zeros=(True,))]


def none_ends(generator):
    return [_case(generator, [n + 1], n, "a sequence that does not end") for n in (3, 4)]


def all_end(generator):
    words = "three sequences of different lengths"
    return [_case(generator, lengths, 7, words) for lengths in ((3, 2, 5), (3, 5, 2))]
