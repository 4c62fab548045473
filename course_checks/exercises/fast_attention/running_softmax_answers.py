"""Answers to running_softmax (lesson 12, exercise 1), right and wrong, as students write them."""

import torch


# wrong: the last pair at each place
# named: last_key_only
def fills_with_the_last(scores):
    maximum = scores.max()
    total = (scores - maximum).exp().sum()
    return torch.full_like(scores, maximum.item()), torch.full_like(scores, total.item())


# wrong: the factor is exp(new - old)
# named: grown
def inverse_factor(scores):
    maximum, total = scores[0], torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total * torch.exp(new - maximum) + torch.exp(s - new)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)


# wrong: the new key adds exp(score)
# named: added_unshifted
def key_without_shift(scores):
    maximum, total = torch.tensor(float("-inf")), torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total * torch.exp(maximum - new) + s.exp()
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)


# wrong: logcumsumexp as it comes
# not named yet: logarithm
def log_space(scores):
    maximum = scores.cummax(dim=0).values
    return maximum, torch.logcumsumexp(scores, dim=0) - maximum


# wrong: the old total stays as large as it was
# named: not_shrunk
def never_shrunk(scores):
    maximum, total = torch.tensor(float("-inf")), torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total + torch.exp(s - new)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)


# wrong: the new key is taken relative to the old maximum
# named: added_with_old_maximum
def old_for_the_new_key(scores):
    maximum, total = scores[0], torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total * torch.exp(maximum - new) + torch.exp(s - maximum)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)


# wrong: appends before the key is counted
# named: one_key_late
def one_behind(scores):
    m, t = torch.tensor(-torch.inf), torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        ms.append(m)
        ts.append(t)
        new = torch.max(m, s)
        t = t * torch.exp(m - new) + torch.exp(s - new)
        m = new
    return torch.stack(ms), torch.stack(ts)


# wrong: each key adds 1
# named: counts_keys
def plus_one(scores):
    maximum, total = torch.tensor(float("-inf")), torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total * torch.exp(maximum - new) + 1
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)


# wrong: a larger score throws the total away
# named: restarted
def resets(scores):
    maximum, total = float("-inf"), 0.0
    out = []
    for s in scores.tolist():
        if s > maximum:
            maximum, total = s, 1.0
        else:
            total += torch.exp(torch.tensor(s - maximum)).item()
        out.append((maximum, total))
    out = torch.tensor(out)
    return out[:, 0], out[:, 1]


# right
def right_cumprod(scores):
    """In double precision, and with branches."""
    m, t, ms, ts = None, 0.0, [], []
    for s in scores.double().unbind():
        if m is None or s > m:
            t = 1.0 if m is None else t * torch.exp(m - s).item() + 1.0
            m = s
        else:
            t += torch.exp(s - m).item()
        ms.append(m.item())
        ts.append(t)
    return scores.new_tensor(ms), scores.new_tensor(ts)


# right
def right_recursive(scores):
    if len(scores) == 1:
        return scores.clone(), torch.ones_like(scores)
    before, sums = running_softmax(scores[:-1])
    top = torch.maximum(before[-1:], scores[-1:])
    last = sums[-1:] * (before[-1:] - top).exp() + (scores[-1:] - top).exp()
    return torch.cat((before, top)), torch.cat((sums, last))


# right
def right_scan(scores):
    """Doubling steps, as a GPU scans: pairs (maximum, total) are merged at growing distances."""
    maximum, total = scores.clone(), torch.ones_like(scores)
    step = 1
    while step < len(scores):
        m = torch.cat((scores.new_full((step,), -torch.inf), maximum[:-step]))
        t = torch.cat((scores.new_zeros(step), total[:-step]))
        new = torch.maximum(m, maximum)
        total = t * (m - new).exp() + total * (maximum - new).exp()
        maximum, step = new, 2 * step
    return maximum, total


# right
def right_table(scores):
    """All prefixes as one lower triangle."""
    n = len(scores)
    table = scores.expand(n, n).masked_fill(torch.ones(n, n).triu(1).bool(), -torch.inf)
    maximum = table.amax(dim=1)
    return maximum, torch.exp(table - maximum[:, None]).sum(dim=1)


# wrong: torch.minimum
# not named yet: minimum
def smallest(scores):
    maximum, total = torch.tensor(float("inf")), torch.tensor(0.0)
    ms, ts = [], []
    for s in scores:
        new = torch.minimum(maximum, s)
        total = total * torch.exp(maximum - new) + torch.exp(s - new)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)


# wrong: the total starts at 1
# named: starts_at_one
def starts_with_total_one(scores):
    maximum, total = scores[0], torch.tensor(1.0)
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total * torch.exp(maximum - new) + torch.exp(s - new)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)


# wrong: the maximum starts at 0
# named: maximum_from_zero
def starts_with_zero_maximum(scores):
    maximum, total = torch.zeros(()), torch.zeros(())
    ms, ts = [], []
    for s in scores:
        new = torch.maximum(maximum, s)
        total = total * torch.exp(maximum - new) + torch.exp(s - new)
        maximum = new
        ms.append(maximum)
        ts.append(total)
    return torch.stack(ms), torch.stack(ts)


# wrong: exp(score) summed and divided by exp(maximum)
# named: divided_at_the_end
def sums_then_divides(scores):
    maximum = torch.cummax(scores, dim=0)[0]
    return maximum, torch.cumsum(scores.exp(), dim=0) / maximum.exp()


# wrong: two numbers at the end, no lists
def two_numbers(scores):
    m, t = scores[0], torch.tensor(1.0)
    for s in scores[1:]:
        new = torch.max(m, s)
        t = t * torch.exp(m - new) + torch.exp(s - new)
        m = new
    return m, t


# wrong: exponentials of later scores are taken, and masked afterwards
# named: later_keys_too
def table_times_mask(scores):
    maximum = torch.cummax(scores, dim=0).values
    table = torch.exp(scores[None, :] - maximum[:, None])
    seen = torch.ones_like(table).tril()
    return maximum, (table * seen).sum(dim=1)


# wrong: exponentials of positive numbers, in float64
def plain_in_float64(scores):
    s = scores.double()
    maximum = s.cummax(0).values
    return maximum.to(scores.dtype), (s.exp().cumsum(0) / maximum.exp()).to(scores.dtype)
