"""Answers to check_guesses (lesson 17, exercise 3), right and wrong, as students write them."""

import torch


# right
def right_loop(guesses, logits, lengths):
    best = logits.argmax(dim=-1)
    stand = torch.zeros_like(lengths)
    for b in range(len(guesses)):
        for i in range(guesses.shape[1]):
            if guesses[b, i] != best[b, i]:
                break
            stand[b] += 1
    token = torch.tensor([int(best[b, stand[b]]) for b in range(len(guesses))])
    return stand, token, lengths + stand + 1


# right
def right_cummin(guesses, logits, lengths):
    best = logits.argmax(-1)
    ok = (guesses == best[:, : guesses.shape[1]]).int()
    stand = ok.cummin(dim=1).values.sum(dim=1) if ok.shape[1] else torch.zeros_like(lengths)
    token = torch.take_along_dim(best, stand.unsqueeze(1), dim=1).squeeze(1)
    return stand, token, lengths + 1 + stand


# right
def right_cut(guesses, logits, lengths):
    k = guesses.shape[1]
    best = logits.topk(1).indices.squeeze(-1)
    fits = torch.eq(guesses, best[:, :-1])
    stand = (torch.cumsum(~fits, dim=1) == 0).sum(dim=1)
    token = best[torch.arange(len(best)), stand]
    full = lengths + 1 + k
    return stand, token, full - (k - stand)


# wrong: all that fit
# named: all_that_fit
def sums(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, :-1]).sum(1)
    return stand, best.gather(1, stand[:, None])[:, 0], lengths + 1 + stand


# wrong: compares with the row behind the guess
# named: one_row_late
def late(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, 1:]).int().cumprod(1).sum(1)
    return stand, best.gather(1, stand[:, None])[:, 0], lengths + 1 + stand


# wrong: the last row's token
# named: last_row
def end(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, :-1]).int().cumprod(1).sum(1)
    return stand, best[:, -1], lengths + 1 + stand


# wrong: the cache keeps everything
# named: never_rolled_back
def keeps_all(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, :-1]).int().cumprod(1).sum(1)
    return stand, best.gather(1, stand[:, None])[:, 0], lengths + logits.shape[1]


# wrong: without the token in front of the guesses
# named: read_token_forgotten
def without_the_first(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, :-1]).int().cumprod(1).sum(1)
    return stand, best.gather(1, stand[:, None])[:, 0], lengths + stand


# wrong: with the token that nobody has read
# named: new_token_counted
def with_the_new(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, :-1]).int().cumprod(1).sum(1)
    return stand, best.gather(1, stand[:, None])[:, 0], lengths + stand + 2


# wrong: the rejected guess is written
# named: wrong_guess_written
def rejected(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, :-1]).int().cumprod(1).sum(1)
    written = torch.cat([guesses, best[:, -1:]], dim=1)
    return stand, written.gather(1, stand[:, None])[:, 0], lengths + stand + 1


# wrong: the smallest number for all
# named: for_the_whole_batch
def together(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, :-1]).int().cumprod(1).sum(1)
    stand = torch.full_like(stand, int(stand.min()))
    return stand, best.gather(1, stand[:, None])[:, 0], lengths + stand + 1


# wrong: all or none
# named: all_or_nothing
def all_or_none(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = torch.where((guesses == best[:, :-1]).all(1), guesses.shape[1], 0)
    return stand, best.gather(1, stand[:, None])[:, 0], lengths + stand + 1


# wrong: stops one too early, where all stand
# named: never_all
def never_all(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, :-1]).int().cumprod(1).sum(1)
    stand = stand.clamp(max=max(guesses.shape[1] - 1, 0))
    return stand, best.gather(1, stand[:, None])[:, 0], lengths + stand + 1
