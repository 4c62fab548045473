"""Lesson 17, exercise 3: how many guessed tokens stand, and how far the cache is rolled back."""

import torch

from course_checks.exercise import Case, Exercise, Property, randn


def check_guesses(guesses, logits, lengths):
    says = logits.argmax(dim=-1)  # (batch, guesses + 1)
    fits = guesses == says[:, :-1]
    stand = fits.long().cumprod(dim=1).sum(dim=1)  # up to the first that does not fit
    token = says.gather(1, stand[:, None])[:, 0]
    return stand, token, lengths + 1 + stand


MISTAKES = """
all_that_fit: .cumprod(dim=1) ->
    You count all guesses that fit. Behind the first wrong one the model has read a text that is not
    there: what it says there counts for nothing.
at_least_one: cumprod(dim=1).sum(dim=1) -> cumprod(dim=1).sum(dim=1).clamp(min=1)
    You always let one guess stand. The first one may be wrong as well.
never_all: cumprod(dim=1).sum(dim=1) -> \
        cumprod(dim=1).sum(dim=1).clamp(max=max(guesses.shape[1] - 1, 0))
    You never let the last guess stand. If all fit, all stand, and the model's token comes behind.
all_or_nothing: fits.long().cumprod(dim=1).sum(dim=1) -> fits.all(dim=1).long() * guesses.shape[1]
    You accept all guesses or none. Those before the first wrong one stand.
one_row_late: says[:, :-1] -> says[:, 1:]
    You compare a guess with what the model says after it has read the guess. Row i of the logits
    says what comes at the place of guess i.
for_the_whole_batch: .sum(dim=1) -> .sum(dim=1).min().expand(len(guesses))
    You take one number for the whole batch, the smallest. Each sequence has its own.
over_the_batch: cumprod(dim=1) -> cumprod(dim=0)
    Your product runs over the sequences. It runs over the guesses of one sequence: dim=1.
wrong_guess_written: gather(1, stand[:, None])[:, 0] -> gather(1, stand[:, None])[:, 0] && \
        return stand, token, -> token = torch.where(stand < guesses.shape[1], \
        torch.cat((guesses, token[:, None]), 1).gather(1, stand[:, None])[:, 0], token); \
        return stand, token,
    Where a guess is wrong, you write it all the same. The model says what comes in its place: that
    is the next token.
last_accepted: token = says.gather(1, stand[:, None])[:, 0] -> \
        token = says.gather(1, (stand - 1).clamp(min=0)[:, None])[:, 0]
    You return the last guess that stands. The next token is the one after it: row `stand` of the
    logits says it.
last_row: says.gather(1, stand[:, None])[:, 0] -> says[:, -1]
    You always read the last row of the logits. It has read all guesses, the wrong ones too: read
    row `stand`.
first_row: says.gather(1, stand[:, None])[:, 0] -> says[:, 0]
    You always read the first row of the logits. Row `stand` has read the guesses that stand.
never_rolled_back: + 1 + stand -> + 1 + guesses.shape[1]
    Your cache keeps the guesses that fell. Behind the last one that stands, it is cut.
all_rolled_back: lengths + 1 + stand -> lengths + 1 + 0 * stand
    You throw the accepted guesses out of the cache. Their keys and values are right: they stay.
read_token_forgotten: lengths + 1 + stand -> lengths + stand || 0 * lengths + 1 + stand
    Your cache is too short. It holds what it held before, the token that was read in front of the
    guesses, and the guesses that stand.
new_token_counted: lengths + 1 + stand -> lengths + 2 + stand
    You count the next token in the cache. Nobody has read it yet: it gets its key and value in the
    next forward.
what_is_cut: + 1 + stand -> * 0 + guesses.shape[1] - stand
    You return how many tokens are cut off. Asked for is how many the cache holds afterwards.
least_likely: argmax -> argmin
    You take the token with the smallest logit.
written_for_standing: return stand, -> return stand + 1,
    You count the next token with the guesses that stand. It is no guess: the model said it.
"""


def _cases(*sizes):
    """(batch, guesses, vocab, how many of each sequence's guesses fit, by turns) each."""

    def make(generator):
        for batch, number, vocab, *fitting in sizes:
            logits = randn(generator, batch, number + 1, vocab)
            says = logits.argmax(dim=-1)[:, :number]
            step = torch.randint(1, vocab, says.shape, generator=generator, device="cpu")
            wrong = (says + step) % vocab
            stand = [fitting[i % len(fitting)] for i in range(batch)]
            stand = torch.tensor(stand, dtype=torch.long, device="cpu")[:, None]
            place = torch.arange(number, device="cpu")
            # Behind the first wrong one, each second guess fits what the model says.
            keeps = (place < stand) | ((place > stand) & ((place - stand) % 2 == 1))
            guesses = torch.where(keeps, says, wrong)
            lengths = torch.randint(20, 90, (batch,), generator=generator, device="cpu")
            label = f"{number} guesses for each of {batch} sequences"
            yield Case((guesses, logits, lengths), label=label)

    return make


EXERCISE = Exercise(
    reference=check_guesses,
    returns={
        "stand": "(batch,), how many guesses stand",
        "token": "(batch,), the next token",
        "length": "(batch,), of the cache afterwards",
    },
    dtype=torch.long,
    properties=(
        Property(
            "guesses stand up to the first wrong one",
            2,
            _cases((1, 2, 4, 1), (3, 4, 5, 1, 3, 2), (4, 6, 7, 2, 0, 5, 3)),
            "stand",
        ),
        Property(
            "the model's own token comes behind those that stand",
            2,
            _cases((1, 3, 6, 2), (3, 5, 4, 1, 4, 0), (5, 4, 8, 3, 1, 2, 0, 4)),
            "token",
        ),
        Property(
            "the cache keeps what was read and stands",
            2,
            _cases((2, 3, 5, 1, 2), (4, 5, 6, 0, 3, 5, 1)),
            "length",
        ),
        Property(
            "all guesses may stand, or none; there may be one guess, or no guess at all",
            1,
            _cases((2, 4, 5, 4), (3, 3, 6, 0), (3, 1, 4, 1, 0), (2, 0, 7, 0), (1, 0, 3, 0)),
        ),
    ),
    mistakes=MISTAKES,
)
