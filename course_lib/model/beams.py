"""Beam search: several beginnings are kept while writing, and the best whole one wins."""

from collections.abc import Callable
from typing import NamedTuple

import torch

from course_lib.validation import check_not_negative, check_number, check_positive


class Beams(NamedTuple):
    """What beam search found for each sequence of the batch, best first."""

    tokens: torch.Tensor  # (batch, num_beams, new_len), behind the end token padding
    scores: torch.Tensor  # (batch, num_beams), sum of log-probabilities / length penalty
    lengths: torch.Tensor  # (batch, num_beams), tokens with the end token


@torch.no_grad()
def beam_search(
    next_log_probs: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    batch_size: int,
    max_new_tokens: int,
    *,
    num_beams: int = 1,
    start: int = 0,
    end: int | None = None,
    pad: int = 0,
    length_penalty: float = 0.0,
    device=None,
) -> Beams:
    """Keep the ``num_beams`` best beginnings after each token; with one, this is greedy decoding.

    Beginnings are compared by score = sum of log-probabilities / ((5 + length) / 6)^alpha (Wu et
    al. 2016, equation 14), where alpha is ``length_penalty``. One that has ended stays as it is
    and goes on competing with those that grow. It stops early when all have ended.

    Args:
        next_log_probs: called with the tokens so far (batch_size * num_beams, length), the start
            token first, and with rows (batch_size * num_beams,): which row of the call before
            each row continues (for caches). Returns the log-probabilities of the next token
            (batch_size * num_beams, vocab_size).
        batch_size: number of sequences, which do not influence each other.
        max_new_tokens: the most tokens to write, the end token included.
        num_beams: how many beginnings are kept for each sequence.
        start: the token that everything is written behind.
        end: the token that ends a sequence; None when all are ``max_new_tokens`` long.
        pad: fills up behind the end token.
        length_penalty: alpha. 0 compares sums, which prefers short sequences; higher values
            prefer longer ones, and 1 is nearly the mean.
        device: of the tokens.

    Returns:
        ``Beams``, in which new_len is at most ``max_new_tokens``. Where fewer different sequences
        exist than beams, those left over have the score -inf.

    Raises:
        TypeError, ValueError: ``max_new_tokens`` or ``num_beams`` is not a positive integer,
            ``length_penalty`` is negative, or ``end`` or ``pad`` is no token of the vocabulary.
    """
    check_positive(max_new_tokens=max_new_tokens, num_beams=num_beams)
    check_not_negative(batch_size=batch_size, start=start, pad=pad)
    check_number(length_penalty=length_penalty)
    if end is not None:
        check_not_negative(end=end)
    if length_penalty < 0:
        raise ValueError(f"length_penalty must be 0 or more, got {length_penalty}")
    shape = (batch_size, num_beams)
    tokens = torch.full((batch_size * num_beams, 1), start, device=device)
    rows = torch.arange(batch_size * num_beams, device=device)
    first_rows = torch.arange(batch_size, device=device)[:, None] * num_beams  # (batch, 1)
    lengths = torch.zeros(shape, dtype=torch.long, device=device)
    has_ended = torch.zeros(shape, dtype=torch.bool, device=device)
    total = torch.full(shape, -torch.inf, device=device)  # sums of log-probabilities
    total[:, 0] = 0.0  # all beams begin alike: only the first may go on
    scores = total
    for _ in range(max_new_tokens):
        log_probs = next_log_probs(tokens, rows).unflatten(0, shape)  # (batch, num_beams, vocab)
        vocab_size = log_probs.shape[-1]
        for name, token in (("end", end), ("pad", pad)) if end is not None else ():
            if token >= vocab_size:
                raise ValueError(f"{name} must be a token below {vocab_size}, got {token}")
        only_pad = torch.arange(vocab_size, device=device) == pad  # (vocab,)
        ended = has_ended[..., None]  # (batch, num_beams, 1)
        log_probs = log_probs.masked_fill(ended, -torch.inf).masked_fill(ended & only_pad, 0.0)
        new_total = total[..., None] + log_probs
        new_lengths = lengths + ~has_ended  # (batch, num_beams)
        penalty = ((5 + new_lengths.to(new_total.dtype)) / 6) ** length_penalty
        all_scores = (new_total / penalty[..., None]).flatten(1)  # (batch, num_beams * vocab)
        scores, chosen = all_scores.topk(num_beams, dim=-1)  # (batch, num_beams)
        beams, new = chosen // vocab_size, chosen % vocab_size  # (batch, num_beams) each
        total = new_total.flatten(1).gather(1, chosen)
        lengths, has_ended = new_lengths.gather(1, beams), has_ended.gather(1, beams)
        rows = (first_rows + beams).flatten()
        tokens = torch.cat((tokens[rows], new.flatten()[:, None]), dim=1)
        if end is not None:
            has_ended = has_ended | (new == end)
            if has_ended.all():
                break
    return Beams(tokens[:, 1:].unflatten(0, shape), scores, lengths)
