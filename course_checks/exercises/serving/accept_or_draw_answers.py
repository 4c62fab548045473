"""Answers to accept_or_draw (lesson 17, exercise 4), right and wrong, as students write them."""

import torch


# right
def right_where(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    p, q = target[i, guesses], draft[i, guesses]
    accept = torch.where(p > q, torch.ones_like(p), p / q)
    rest = torch.where(target > draft, target - draft, torch.zeros_like(target))
    rest = rest / rest.sum(-1, keepdim=True)
    drawn = (uniforms[:, 1, None] >= rest.cumsum(-1)).sum(-1)
    return accept, rest, torch.where(uniforms[:, 0] < accept, guesses, drawn)


# right
def right_list(target, draft, guesses, uniforms):
    accept = torch.empty_like(uniforms[:, 0])
    rest = torch.empty_like(target)
    token = guesses.clone()
    for n in range(len(guesses)):
        g = guesses[n]
        accept[n] = min(1.0, float(target[n, g] / draft[n, g]))
        r = torch.relu(target[n] - draft[n])
        rest[n] = r / r.sum()
        if uniforms[n, 0] >= accept[n]:
            total = 0.0
            for t in range(target.shape[1]):
                total += float(rest[n, t])
                if uniforms[n, 1] < total:
                    token[n] = t
                    break
    return accept, rest, token


# wrong: draws from the target again
# named: drawn_from_target
def from_target(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    accept = (target[i, guesses] / draft[i, guesses]).clamp(max=1)
    drawn = (target.cumsum(1) <= uniforms[:, 1:]).sum(1)
    return accept, target.clone(), torch.where(uniforms[:, 0] < accept, guesses, drawn)


# wrong: the target without the guess
# named: without_the_guess
def not_the_guess(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    accept = (target[i, guesses] / draft[i, guesses]).clamp(max=1)
    rest = target.clone()
    rest[i, guesses] = 0
    rest = rest / rest.sum(1, keepdim=True)
    drawn = (rest.cumsum(1) <= uniforms[:, 1:]).sum(1)
    return accept, rest, torch.where(uniforms[:, 0] < accept, guesses, drawn)


# wrong: the chance is not cut at 1
# named: no_larger_than_1
def above_one(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    accept = target[i, guesses] / draft[i, guesses]
    rest = (target - draft).clamp(min=0)
    rest = rest / rest.sum(1, keepdim=True)
    drawn = (rest.cumsum(1) <= uniforms[:, 1:]).sum(1)
    return accept, rest, torch.where(uniforms[:, 0] < accept, guesses, drawn)


# wrong: draft over target
# named: turned_round
def upside_down(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    accept = (draft[i, guesses] / target[i, guesses]).clamp(max=1)
    rest = (target - draft).clamp(min=0)
    rest = rest / rest.sum(1, keepdim=True)
    drawn = (rest.cumsum(1) <= uniforms[:, 1:]).sum(1)
    return accept, rest, torch.where(uniforms[:, 0] < accept, guesses, drawn)


# wrong: only where the target gives more
# named: likelier_only
def strict(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    accept = (target[i, guesses] >= draft[i, guesses]).float()
    rest = (target - draft).clamp(min=0)
    rest = rest / rest.sum(1, keepdim=True)
    drawn = (rest.cumsum(1) <= uniforms[:, 1:]).sum(1)
    return accept, rest, torch.where(uniforms[:, 0] < accept, guesses, drawn)


# wrong: the size of the difference
# named: both_sides
def absolute(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    accept = (target[i, guesses] / draft[i, guesses]).clamp(max=1)
    rest = (target - draft).abs()
    rest = rest / rest.sum(1, keepdim=True)
    drawn = (rest.cumsum(1) <= uniforms[:, 1:]).sum(1)
    return accept, rest, torch.where(uniforms[:, 0] < accept, guesses, drawn)


# wrong: not divided by the sum
# named: not_divided
def not_a_distribution(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    accept = (target[i, guesses] / draft[i, guesses]).clamp(max=1)
    rest = (target - draft).clamp(min=0)
    drawn = (rest.cumsum(1) <= uniforms[:, 1:] * rest.sum(1, keepdim=True)).sum(1)
    return accept, rest, torch.where(uniforms[:, 0] < accept, guesses, drawn)


# wrong: one number for both
# named: one_number_for_both
def same_number(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    accept = (target[i, guesses] / draft[i, guesses]).clamp(max=1)
    rest = (target - draft).clamp(min=0)
    rest = rest / rest.sum(1, keepdim=True)
    drawn = (rest.cumsum(1) <= uniforms[:, :1]).sum(1)
    return accept, rest, torch.where(uniforms[:, 0] < accept, guesses, drawn)


# wrong: the likeliest of the rest
# named: likeliest
def greedy(target, draft, guesses, uniforms):
    i = torch.arange(len(guesses))
    accept = (target[i, guesses] / draft[i, guesses]).clamp(max=1)
    rest = (target - draft).clamp(min=0)
    rest = rest / rest.sum(1, keepdim=True)
    return accept, rest, torch.where(uniforms[:, 0] < accept, guesses, rest.argmax(1))


# wrong: a running sum equal to the number draws its token: < for <=
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
