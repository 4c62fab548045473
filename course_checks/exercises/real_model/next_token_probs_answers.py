"""Answers to next_token_probs (lesson 16, exercise 5), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F


# wrong: the probabilities are divided by the temperature
# named: divided_afterwards
def after_softmax(logits, temperature, top_k):
    if top_k is not None:
        v = torch.topk(logits, top_k, dim=-1).values
        logits = logits.masked_fill(logits < v[..., -1:], -torch.inf)
    return logits.softmax(-1) / temperature


# wrong: keeps the smallest
# named: smallest
def ascending(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        keep = x.argsort(dim=-1)[..., :top_k]
        mask = torch.zeros_like(x, dtype=torch.bool).scatter(-1, keep, True)
        x = x.masked_fill(~mask, -torch.inf)
    return torch.softmax(x, dim=-1)


# wrong: softmax over the first dimension
# named: other_dimension
def dim_0(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        cut = x.topk(top_k, dim=-1).values[..., -1:]
        x = x.masked_fill(x < cut, -torch.inf)
    return torch.softmax(x, dim=0)


# wrong: the first k of the vocabulary
# named: first_tokens
def first_ones(logits, temperature, top_k):
    x = (logits / temperature).clone()
    if top_k is not None:
        x[..., top_k:] = -torch.inf
    return torch.softmax(x, dim=-1)


# wrong: one threshold for the whole batch
# named: among_all_rows
def flat_topk(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        cut = torch.topk(x.flatten(), top_k).values.min()
        x = x.masked_fill(x < cut, -torch.inf)
    return torch.softmax(x, dim=-1)


# wrong: keeps what is greater than the last of the top k
# named: one_too_few
def greater_than(logits, temperature, top_k):
    scaled = logits / temperature
    if top_k is None:
        return scaled.softmax(-1)
    smallest = torch.sort(scaled, dim=-1, descending=True)[0][..., top_k - 1 : top_k]
    return torch.where(scaled > smallest, scaled, float("-inf")).softmax(-1)


# wrong: changes the logits of the caller
# named: changes_input
def in_place(logits, temperature, top_k):
    logits /= temperature
    if top_k is not None:
        logits[logits < logits.topk(top_k, dim=-1).values[..., -1:]] = -torch.inf
    return logits.softmax(dim=-1)


# wrong: the threshold is the first of those that should go
# named: one_too_many
def index_k(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        cut = x.sort(dim=-1, descending=True).values[..., top_k : top_k + 1]
        x = x.masked_fill(x < cut, -torch.inf)
    return torch.softmax(x, dim=-1)


# wrong: returns k numbers for each row
# named: only_the_kept
def k_numbers(logits, temperature, top_k):
    x = logits / temperature
    if top_k is None:
        return torch.softmax(x, dim=-1)
    return torch.softmax(torch.topk(x, top_k, dim=-1).values, dim=-1)


# wrong: <= leaves out the last of the top k
# named: one_too_few
def less_or_equal(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        cut = x.topk(top_k, dim=-1).values[..., -1:]
        x = x.masked_fill(x <= cut, -torch.inf)
    return torch.softmax(x, dim=-1)


# wrong: log-probabilities
# named: log_probabilities
def log_softmax(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        x = x.masked_fill(x < x.topk(top_k).values[..., -1:], -torch.inf)
    return torch.log_softmax(x, dim=-1)


# wrong: blocks the top k instead of the others
# named: smallest
def mask_turned_round(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        cut = x.topk(top_k, dim=-1).values[..., -1:]
        x = x.masked_fill(x >= cut, -torch.inf)
    return torch.softmax(x, dim=-1)


# wrong: the smallest of all rows' thresholds is used for every row
# named: among_all_rows
def min_over_batch(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        cut = x.topk(top_k, dim=-1).values.min()
        x = x.masked_fill(x < cut, -torch.inf)
    return torch.softmax(x, dim=-1)


# wrong: no case for top_k None
def none_forgotten(logits, temperature, top_k):
    x = logits / temperature
    cut = torch.topk(x, top_k, dim=-1).values[..., -1:]
    return x.masked_fill(x < cut, -torch.inf).softmax(dim=-1)


# wrong: None is taken for 1
def none_is_greedy(logits, temperature, top_k):
    top_k = top_k or 1
    x = logits / temperature
    cut = torch.topk(x, top_k, dim=-1).values[..., -1:]
    return x.masked_fill(x < cut, -torch.inf).softmax(dim=-1)


# wrong: returns the blocked logits
# named: no_softmax
def raw_logits(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        x = torch.where(x >= x.topk(top_k).values[..., -1:], x, -torch.inf)
    return x


# right
def right_by_hand(logits, temperature, top_k):
    x = logits / temperature
    e = (x - x.max(dim=-1, keepdim=True).values).exp()
    if top_k is not None:
        kept = torch.zeros_like(e)
        idx = e.topk(top_k, dim=-1).indices
        kept.scatter_(-1, idx, 1.0)
        e = e * kept
    return e / e.sum(dim=-1, keepdim=True)


# right
def right_kthvalue(logits, temperature, top_k):
    logits = logits.clone()
    if top_k is not None:
        n = logits.size(-1)
        cut = logits.kthvalue(n - top_k + 1, dim=-1, keepdim=True)[0]
        logits[logits < cut] = float("-inf")
    return F.softmax(logits / temperature, dim=-1)


# right
def right_power(logits, temperature, top_k):
    # p ** (1 / T), divided by the sum again, is the same as dividing the logits
    p = logits.softmax(dim=-1) ** (1 / temperature)
    if top_k is not None:
        p = p * (p >= p.topk(top_k, dim=-1).values[..., [-1]])
    return p / p.sum(dim=-1, keepdim=True)


# right
def right_rows(logits, temperature, top_k):
    flat = logits.reshape(-1, logits.shape[-1])
    rows = []
    for row in flat:
        row = row / temperature
        if top_k is not None:
            keep = torch.argsort(row, descending=True)[:top_k]
            blocked = torch.ones_like(row, dtype=torch.bool)
            blocked[keep] = False
            row = row.masked_fill(blocked, float("-inf"))
        rows.append(torch.softmax(row, dim=0))
    return torch.stack(rows).reshape(logits.shape)


# right
def right_scatter(logits, temperature, top_k):
    if top_k is None:
        return torch.softmax(logits / temperature, -1)
    vals, idx = torch.topk(logits / temperature, top_k, dim=-1)
    out = torch.full_like(logits, float("-inf"))
    out.scatter_(-1, idx, vals)
    return torch.softmax(out, -1)


# right
def right_sorted(logits, temperature, top_k):
    scaled = logits / temperature
    k = scaled.shape[-1] if top_k is None else top_k
    threshold = scaled.sort(dim=-1, descending=True).values[..., k - 1].unsqueeze(-1)
    return torch.where(scaled >= threshold, scaled, -torch.inf).softmax(-1)


# wrong: divides by the root, as attention does with head_dim
# named: root_of_temperature
def root_of_temperature(logits, temperature, top_k):
    x = logits / temperature**0.5
    if top_k is not None:
        x = x.masked_fill(x < x.topk(top_k, dim=-1).values[..., -1:], -torch.inf)
    return x.softmax(dim=-1)


# wrong: to make it sum to 1 again, a softmax over probabilities and zeros
# named: softmax_of_the_rest
def softmax_after_zeros(logits, temperature, top_k):
    p = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        cut = p.topk(top_k, dim=-1).values[..., -1:]
        p = torch.where(p >= cut, p, 0.0)
        p = torch.softmax(p, dim=-1)
    return p


# wrong: a softmax, divided by the temperature, and a softmax again
# named: probabilities_scaled
def softmax_divide_softmax(logits, temperature, top_k):
    p = torch.softmax(logits, dim=-1) / temperature
    if top_k is not None:
        p = p.masked_fill(p < p.topk(top_k).values[..., -1:], -torch.inf)
    return torch.softmax(p, dim=-1)


# wrong: a softmax of the softmax
# named: probabilities_scaled
def softmax_twice(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        x = x.masked_fill(x < x.topk(top_k).values[..., -1:], -torch.inf)
    probs = torch.softmax(x, dim=-1)
    return torch.softmax(probs, dim=-1)


# wrong: divided by the sum over the batch
# named: divided_by_all
def sum_of_all(logits, temperature, top_k):
    p = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        p = p * (p >= p.topk(top_k, dim=-1).values[..., -1:])
    return p / p.sum()


# wrong: the sums do not line up with the rows
def sum_without_keepdim(logits, temperature, top_k):
    p = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        p = p * (p >= p.topk(top_k, dim=-1).values[..., -1:])
    return p / p.sum(dim=-1)


# wrong: the temperature is not used
# named: no_temperature
def temperature_forgotten(logits, temperature, top_k):
    if top_k is not None:
        v = torch.topk(logits, top_k, dim=-1).values
        logits = torch.where(logits < v[..., -1:], torch.tensor(-torch.inf), logits)
    return logits.softmax(-1)


# wrong: divides in one branch only
# named: no_temperature_with_top_k
def temperature_only_without_top_k(logits, temperature, top_k):
    if top_k is None:
        return torch.softmax(logits / temperature, dim=-1)
    cut = logits.topk(top_k, dim=-1).values[..., -1:]
    return torch.softmax(logits.masked_fill(logits < cut, -torch.inf), dim=-1)


# wrong: multiplies by the temperature
# named: multiplies
def times(logits, temperature, top_k):
    logits = logits * temperature
    if top_k is not None:
        v, _ = torch.topk(logits, top_k)
        logits = logits.masked_fill(logits < v[..., -1:], float("-inf"))
    return torch.softmax(logits, dim=-1)


# wrong: top_k is not used
# named: no_top_k
def top_k_forgotten(logits, temperature, top_k):
    return (logits / temperature).softmax(dim=-1)


# wrong: the logits of the others are 0
# named: zero_logits
def zero_instead_of_inf(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        cut = torch.topk(x, top_k, dim=-1)[0][..., -1, None]
        x = torch.where(x < cut, torch.zeros_like(x), x)
    return torch.softmax(x, dim=-1)


# wrong: what is left does not sum to 1
# named: not_divided_again
def zeros_after_softmax(logits, temperature, top_k):
    probs = torch.softmax(logits / temperature, dim=-1)
    if top_k is None:
        return probs
    cut = probs.topk(top_k, dim=-1).values[..., -1:]
    return probs * (probs >= cut)


# wrong: the top_k probabilities put back among zeros, without dividing by their sum
# named: not_divided_again
def zeros_scattered(logits, temperature, top_k):
    probs = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        values, indices = probs.topk(top_k)
        probs = torch.zeros_like(probs).scatter(-1, indices, values)
    return probs


# wrong: a tensor of zeros with the kept logits in it
# named: zero_logits
def zeros_then_topk(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        v, i = x.topk(top_k)
        x = torch.zeros_like(x).scatter(-1, i, v)
    return x.softmax(-1)


# wrong: keeps top_k - 1 tokens, and the largest at least
# named: one_too_few
def one_too_few_too(logits, temperature, top_k):
    s = logits / temperature
    if top_k is not None:
        t = s.topk(top_k, -1).values[..., -1:]
        s = s.masked_fill((s <= t) & (s != s.amax(-1, keepdim=True)), -math.inf)
    return s.softmax(-1)


# wrong: fills in -20 where minus infinity belongs
# named: finite_fill
def finite_fill_too(logits, temperature, top_k):
    s = logits / temperature
    if top_k:
        s = s.masked_fill(s < s.topk(top_k, -1).values[..., -1:], -20.0)
    return s.softmax(-1)


# wrong: 20 below the largest logit in place of minus infinity
# named: not_quite_zero
def twenty_below_the_largest(logits, temperature, top_k):
    s = logits / temperature
    s = s - s.amax(-1, keepdim=True)
    if top_k is not None:
        s = s.masked_fill(s < s.topk(top_k, -1).values[..., -1:], -20.0)
    return s.softmax(-1)


# wrong: exponentials of the logits as they are
# named: overflows
def unstable(logits, temperature, top_k):
    e = (logits / temperature).exp()
    if top_k is not None:
        e = e.masked_fill(e < e.topk(top_k, dim=-1).values[..., -1:], 0.0)
    return e / e.sum(dim=-1, keepdim=True)


# wrong: no temperature below 0.1
# named: no_low_temperature
def not_below_a_tenth(logits, temperature, top_k):
    scaled = logits / max(temperature, 0.1)
    if top_k is not None:
        kth = torch.topk(scaled, top_k).values[..., [-1]]
        scaled = torch.where(scaled < kth, float("-inf"), scaled)
    return torch.softmax(scaled, dim=-1)
