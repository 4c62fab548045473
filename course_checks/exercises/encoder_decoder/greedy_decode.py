"""Lesson 09, exercise 4: write one token after the other, with a cache, until all have ended."""

import torch

from course_checks.exercise import Exercise, Property
from course_checks.exercises.encoder_decoder.decoder_cases import all_end, none_ends, one_sequence
from course_checks.judge.calling import call


def greedy_decode(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)  # (batch,): what the decoder reads next
    has_ended = torch.zeros(len(cache), dtype=torch.bool)
    written = []
    while len(written) < max_new_tokens and not has_ended.all():
        logits, cache = step(tokens, cache)  # (batch, vocab)
        tokens = logits.argmax(dim=-1).masked_fill(has_ended, 0)
        has_ended = has_ended | (tokens == end)
        written.append(tokens)
    return torch.stack(written, dim=1)


MISTAKES = """
cache_forgotten: logits, cache = step -> logits, _ = step
    You give every step the cache that you began with, which holds none of what was read since: take
    over the cache that step returns.
always_the_start: step(tokens, cache) -> step(torch.zeros_like(tokens), cache)
    You give every step the start token. The decoder has to read what it has just written.
never_ends: not has_ended.all() -> True && .masked_fill(has_ended, 0) -> || _together
    You do not remember which sequences have ended, and go on behind their end token. Keep it in a
    variable, write 0 there, and stop when all of them have.
goes_on_behind_the_end: .masked_fill(has_ended, 0) ->
    A sequence that has ended still gets new tokens. Behind its end token should stand 0.
stops_too_late: and not has_ended.all() ->
    You write padding until max_new_tokens, although all sequences have ended. Do you ask whether
    all end in the same step? Remember who has ended before.
stops_at_the_first_end: has_ended.all() -> has_ended.any() || has_ended[0]
    You stop as soon as one sequence of the batch has ended. Wait until all have: has_ended.all().
newest_ends_only: has_ended | (tokens == end) -> tokens == end
    You remember only who ended in the newest step. One step later its token is 0, and it counts as
    open again: has_ended | (tokens == end).
end_overwritten: .masked_fill(has_ended, 0) -> && has_ended | (tokens == end) -> \
        has_ended | (tokens == end); tokens = tokens.masked_fill(has_ended, 0)
    You write 0 over the end token itself. It belongs to the sequence: 0 stands only behind it, so
    fill with those that had ended before this step.
end_repeated: masked_fill(has_ended, 0) -> masked_fill(has_ended, end)
    Behind the end token you write it again and again. There should be padding, which is 0.
zero_ends: (tokens == end) -> (tokens == end) | (tokens == 0)
    You take 0 for an end. It is padding only behind the end token; before it, a token like any.
start_kept: torch.stack(written -> torch.stack([0 * written[0], *written]
    Your answer begins with the start token. Nobody wrote that one: leave it out.
one_too_few: < max_new_tokens -> < max_new_tokens - 1 || <= max_new_tokens
    You do not write max_new_tokens tokens, but one more or less. The start token is not a new one.
transposed: torch.stack(written, dim=1) -> torch.stack(written)
    You return one row for each step, (new_len, batch). Stack the steps along dim=1: one row for
    each sequence.
reads_again: lambda step, *more: greedy_decode(lambda *now: (step(*now), step(*now))[1], *more)
    {READS_AGAIN}
one_by_one: lambda step, cache, *more: nn.utils.rnn.pad_sequence( \
        [greedy_decode(step, one, *more)[0] for one in cache.split(1)], batch_first=True)
    {ONE_BY_ONE}
"""


def _together(step, cache, end, max_new_tokens):
    """Stops only where all write the end token in one step."""
    tokens, written = torch.zeros(len(cache), dtype=torch.long), []
    while len(written) < max_new_tokens:
        logits, cache = step(tokens, cache)
        tokens = logits.argmax(dim=-1)
        written.append(tokens)
        if (tokens == end).all():
            break
    return torch.stack(written, dim=1)


READS_AGAIN = (
    "Your tokens are right, and you ask step more often than you write tokens: what was read "
    "before is read again. The cache holds it: give each step the newest tokens and the cache that "
    "the step before returned."
)


ONE_BY_ONE = (
    "Your tokens are right, and you ask step more often than the longest sequence has tokens: is "
    "there a loop over the sequences? Ask once a round, for all of them together."
)


def _one_step_a_token(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    for case in all_end(generator):
        step, *others = case.args
        asked = []

        def counted(tokens, cache, step=step, asked=asked):
            asked.append(len(tokens))
            return step(tokens, cache)

        outcome = call(EXERCISE, function, (counted, *others), 0)
        if outcome.answer is None:
            return None
        rounds = outcome.answer["tokens"].shape[1]
        if sum(asked) > len(others[0]) * rounds:
            return READS_AGAIN, ""
        if len(asked) > rounds:
            return ONE_BY_ONE, ""
    return None


EXERCISE = Exercise(
    reference=greedy_decode,
    returns={"tokens": "(batch, new_len)"},
    dtype=torch.long,
    properties=(
        Property("one sequence is written token by token, up to its end", 2, one_sequence),
        Property("without an end, max_new_tokens are written", 1, none_ends),
        Property(
            "in a batch, each sequence ends where it ends, and behind it stands 0", 2, all_end
        ),
        Property(
            "each token is read once, in one step for all sequences",
            1,
            judge=_one_step_a_token,
            measured_inside=True,
        ),
    ),
    mistakes=MISTAKES,
)
