"""Answers to accept_or_draw (lesson 17, exercise 4), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F

import course_checks as checks


# right
def loop(target, draft, guesses, uniforms):
    accept, tokens, rests = [], [], []
    for p, q, guess, (first, second) in zip(target, draft, guesses, uniforms, strict=True):
        rest = F.relu(p - q)
        rest = rest / rest.sum()
        accept.append(torch.minimum(p[guess] / q[guess], torch.ones(())))
        drawn = int(torch.searchsorted(rest.cumsum(0), second, right=True))
        tokens.append(int(guess) if first < accept[-1] else drawn)
        rests.append(rest)
    rests = torch.stack(rests) if rests else torch.zeros_like(target)
    accept = torch.stack(accept) if accept else target.new_zeros(0)
    return accept, rests, torch.tensor(tokens, dtype=torch.long)


# right
def by_both(target, draft, guesses, uniforms):
    """What both have in common, first: it is what is accepted, over the draft."""
    common = torch.minimum(target, draft)
    rows = torch.arange(len(guesses))
    accept = common[rows, guesses] / draft[rows, guesses]
    rest = target - common
    rest = rest / (1 - common.sum(1, keepdim=True))
    second = uniforms[:, 1:].contiguous()
    drawn = torch.searchsorted(rest.cumsum(1), second, right=True)[:, 0]
    return accept, rest, torch.where(uniforms[:, 0] >= accept, drawn, guesses)


# wrong: draws from the target again
# named: drawn_from_target
# points: 3
def from_target(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    accept = (target[i, guesses] / draft[i, guesses]).clamp(max=1)
    drawn = (target.cumsum(1) <= uniforms[:, 1:]).sum(1)
    return accept, target.clone(), torch.where(uniforms[:, 0] < accept, guesses, drawn)


# wrong: not divided by the sum
# named: not_divided
def not_a_distribution(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    accept = (target[i, guesses] / draft[i, guesses]).clamp(max=1)
    rest = (target - draft).clamp(min=0)
    drawn = (rest.cumsum(1) <= uniforms[:, 1:] * rest.sum(1, keepdim=True)).sum(1)
    return accept, rest, torch.where(uniforms[:, 0] < accept, guesses, drawn)


# wrong: a running sum equal to the number draws its token: < for <=
# points: 7
def sum_at_the_number(target, draft, guesses, uniforms):
    at = guesses[:, None]
    accept = (target.gather(1, at) / draft.gather(1, at))[:, 0].clamp(max=1)
    left = (target - draft).clamp(min=0)
    left = left / left.sum(1, keepdim=True)
    drawn = (left.cumsum(1) < uniforms[:, 1:]).sum(1)
    return accept, left, torch.where(uniforms[:, 0] < accept, guesses, drawn)


# wrong: a number equal to the chance accepts: <= for <
def chance_of_0(target, draft, guesses, uniforms):
    at = guesses[:, None]
    accept = (target.gather(1, at) / draft.gather(1, at))[:, 0].clamp(max=1)
    left = (target - draft).clamp(min=0)
    left = left / left.sum(1, keepdim=True)
    drawn = (left.cumsum(1) <= uniforms[:, 1:]).sum(1)
    return accept, left, torch.where(uniforms[:, 0] <= accept, guesses, drawn)


# wrong: draws by torch in place of the given numbers
# named: answers_vary
def by_chance(target, draft, guesses, uniforms):
    accept, left, token = checks.accept_or_draw.exercise.reference(target, draft, guesses, uniforms)
    drawn = torch.multinomial(left, 1)[:, 0] if len(left) else token
    return accept, left, torch.where(uniforms[:, 0] < accept, guesses, drawn)


# wrong: the chance is not cut at 1
# named: no_larger_than_1
# points: 5
def above_one(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    accept = target[i, guesses] / draft[i, guesses]
    rest = (target - draft).clamp(min=0)
    rest = rest / rest.sum(1, keepdim=True)
    drawn = (rest.cumsum(1) <= uniforms[:, 1:]).sum(1)
    return accept, rest, torch.where(uniforms[:, 0] < accept, guesses, drawn)


# right
def one_row_at_a_time(target, draft, guesses, uniforms):
    chances, rests, tokens = [], [], []
    for p, q, g, (first, second) in zip(target, draft, guesses, uniforms):
        chances.append((p[g] / q[g]).clamp(max=1))
        rest = (p - q).clamp(min=0)
        rests.append(rest / rest.sum())
        drawn = (rests[-1].cumsum(0) <= second).sum()
        tokens.append(g if first < chances[-1] else drawn)
    return torch.stack(chances), torch.stack(rests), torch.stack(tokens)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for rows, vocab in ((6, 4), (3, 7), (9, 3), (1, 2)):
        target, draft = (randn(rows, vocab).softmax(-1) for _ in range(2))
        guesses = torch.multinomial(draft, 1, generator=generator)[:, 0]
        yield target, draft, guesses, torch.rand(rows, 2, generator=generator)
