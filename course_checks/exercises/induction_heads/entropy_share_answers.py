"""Answers to entropy_share (lesson 10, exercise 1), right and wrong, as students write them."""

import math

import torch


# wrong: divides by the log of all keys
# named: log_of_all_keys
def all_keys(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / math.log(weights.shape[-1])
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))


# wrong: divides by the number of all queries, also of those without a choice
# named: single_key_counts_as_0
def all_queries(weights, mask):
    allowed = mask.expand(weights.shape).sum(-1)
    h = -torch.xlogy(weights, weights).sum(-1) / allowed.clamp(min=2).log()
    return h.masked_fill(allowed < 2, 0.0).mean(dim=(0, 2))


# right
def base_two(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -(weights * weights.clamp(min=1e-30).log2()).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log2()
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))


# wrong: divides by all queries, those without a choice included
# named: single_key_counts_as_0
def counts_all_queries(weights, mask):
    h = -torch.xlogy(weights, weights).sum(-1)
    n = mask.expand(weights.shape).sum(-1)
    share = torch.where(n >= 2, h / n.clamp(min=2).log(), torch.zeros_like(h))
    return share.mean(dim=(0, 2))


# wrong: counts the weights above 0
# named: nonzero_weights_counted
def counts_weights_above_zero(weights, mask):
    allowed = (weights > 0).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))


# right
def entr_and_boolean_index(weights, mask):
    allowed = mask.expand(weights.shape).sum(-1)
    entropy = torch.special.entr(weights).sum(-1).transpose(0, 1).flatten(1)
    allowed = allowed.transpose(0, 1).flatten(1)
    rows = [(e[a > 1] / a[a > 1].log()).mean() for e, a in zip(entropy, allowed, strict=True)]
    return torch.stack(rows)


# right
def entr_nanmean(weights, mask):
    bits = torch.special.entr(weights).sum(-1) / math.log(2)
    allowed = mask.broadcast_to(weights.shape).sum(-1).to(weights.dtype)
    allowed[allowed < 2] = math.nan
    return (bits / allowed.log2()).transpose(0, 1).flatten(1).nanmean(dim=1)


# wrong: not divided
# named: not_divided
def entropy_only(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / 1.0
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))


# wrong: adds 0.01 inside the log
# named: added_before_the_log
def epsilon(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -(weights * (weights + 1e-2).log()).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))


# wrong: the first sentence only
# named: first_sentence_only
def first_sentence(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return share[0].sum(dim=-1) / choice[0].sum(dim=-1)


# wrong: divides by the log of all keys instead of the allowed ones
# named: log_of_all_keys
def log_key_len(weights, mask):
    h = -torch.xlogy(weights, weights).sum(-1)
    choice = mask.expand(weights.shape).sum(-1) >= 2
    share = (h / math.log(weights.shape[-1])).masked_fill(~choice, 0)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))


# wrong: divides by the log of the key length, not of the number of allowed keys
# named: log_of_all_keys
def log_keylen(weights, mask):
    allowed = mask.expand(weights.shape).sum(-1)
    n = torch.tensor(float(weights.shape[-1]))
    h = -torch.xlogy(weights, weights).sum(-1) / n.log()
    ok = allowed >= 2
    return h.masked_fill(~ok, 0).sum((0, 2)) / ok.sum((0, 2))


# right
def loops(weights, mask):
    mask = mask.expand(weights.shape)
    shares = []
    for head in range(weights.shape[1]):
        found = []
        for sentence in range(weights.shape[0]):
            for query in range(weights.shape[2]):
                keys = int(mask[sentence, head, query].sum())
                if keys < 2:
                    continue
                row = weights[sentence, head, query]
                row = row[row > 0]
                found.append(-(row * row.log()).sum() / math.log(keys))
        shares.append(torch.stack(found).mean())
    return torch.stack(shares)


# wrong: counts the queries in the unexpanded mask, which has fewer of them
def mask_not_expanded(weights, mask):
    h = -torch.xlogy(weights, weights).sum(-1)
    n = mask.sum(-1)
    share = torch.where(n >= 2, h / n.clamp(min=2).log(), torch.zeros_like(h))
    return share.sum(dim=(0, 2)) / (n >= 2).sum()


# wrong: mask.sum(-1) without expanding, which counts one for a mask (..., query, 1)
# named: mask_not_expanded
def mask_sum_not_expanded(weights, mask):
    allowed = mask.sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    choice = choice.expand(share.shape)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))


# wrong: averages each sentence first and then the sentences
def mean_of_means(weights, mask):
    h = -torch.xlogy(weights, weights).sum(-1)
    n = mask.expand(weights.shape).sum(-1)
    share = torch.where(n >= 2, h / n.clamp(min=2).log(), torch.zeros_like(h))
    per_sentence = share.sum(-1) / (n >= 2).sum(-1).clamp(min=1)
    return per_sentence.mean(0)


# wrong: keeps the sentences instead of the heads
# named: one_for_each_sentence
def mean_over_heads(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=(1, 2)) / choice.sum(dim=(1, 2))


# wrong: queries without a choice count as 0
# named: single_key_counts_as_0
def mean_with_zeros(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    return share.masked_fill(~choice, 0.0).mean(dim=(0, 2))


# wrong: 0 times log 0
# named: zero_times_log_zero
def nan_from_log_zero(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -(weights * weights.log()).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))


# wrong: w * log(w) is NaN where a weight is 0
# named: zero_times_log_zero
def nan_log(weights, mask):
    allowed = mask.expand(weights.shape).sum(-1)
    h = -(weights * weights.log()).sum(-1) / allowed.clamp(min=2).log()
    ok = allowed >= 2
    return torch.where(ok, h, torch.zeros_like(h)).sum((0, 2)) / ok.sum((0, 2))


# wrong: w * log(w) is NaN where the weight is 0
# named: zero_times_log_zero
def nan_log_2(weights, mask):
    h = -(weights * weights.log()).sum(-1)
    n = mask.expand(weights.shape).sum(-1)
    share = torch.where(n >= 2, h / n.clamp(min=2).log(), torch.zeros_like(h))
    return share.sum(dim=(0, 2)) / (n >= 2).sum(dim=(0, 2))


# wrong: zero by zero made 0
# named: single_key_counts_as_0
def nan_to_zero_mean(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    share = entropy / allowed.log()
    return share.nan_to_num(0.0).mean(dim=(0, 2))


# right
def nanmean(weights, mask):
    allowed = torch.broadcast_to(mask, weights.shape).sum(-1).to(weights.dtype)
    logs = torch.where(weights > 0, weights, torch.ones_like(weights)).log()
    share = -(weights * logs).sum(-1) / allowed.clamp(min=2).log()
    share = torch.where(allowed >= 2, share, torch.full_like(share, torch.nan))
    return share.transpose(0, 1).flatten(1).nanmean(dim=1)


# wrong: forgets the minus sign
# named: negative
def no_minus(weights, mask):
    h = torch.xlogy(weights, weights).sum(-1)
    n = mask.expand(weights.shape).sum(-1)
    share = torch.where(n >= 2, h / n.clamp(min=2).log(), torch.zeros_like(h))
    return share.sum(dim=(0, 2)) / (n >= 2).sum(dim=(0, 2))


# wrong: counts the keys with a weight above 0, not those that the mask allows (differs where an allowed key has weight exactly 0)
# named: nonzero_weights_counted
def nonzero(weights, mask):
    allowed = (weights > 0).sum(-1)
    h = -torch.xlogy(weights, weights).sum(-1) / allowed.clamp(min=2).log()
    ok = allowed >= 2
    return h.masked_fill(~ok, 0.0).sum((0, 2)) / ok.sum((0, 2)).clamp(min=1)


# wrong: one minus the share
# named: one_minus
def one_minus(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return 1 - share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))


# wrong: a number for each query
def over_batch_only(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=0) / choice.sum(dim=0)


# wrong: sums over the queries
# named: over_queries
def over_queries(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-2)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))


# wrong: counts the keys with some weight instead of those that the mask allows
# named: nonzero_weights_counted
def positive_weights(weights, mask):
    h = -torch.xlogy(weights, weights).sum(-1)
    n = (weights > 0).sum(-1)
    share = torch.where(n >= 2, h / n.clamp(min=2).log(), torch.zeros_like(h))
    return share.sum(dim=(0, 2)) / (n >= 2).sum(dim=(0, 2))


# wrong: the mean entropy over the mean log
# named: ratio_of_means
def ratio_of_sums(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    entropy / allowed.clamp(min=2).log()
    top = allowed.clamp(min=2).log() * choice
    return (entropy * choice).sum(dim=(0, 2)) / top.sum(dim=(0, 2))


# wrong: sum of the entropies over the sum of the logs, not the mean of the shares
# named: ratio_of_means
def ratio_of_sums_2(weights, mask):
    allowed = mask.expand(weights.shape).sum(-1)
    ok = allowed >= 2
    h = -torch.xlogy(weights, weights).sum(-1).masked_fill(~ok, 0.0)
    top = allowed.clamp(min=2).log().masked_fill(~ok, 0.0)
    return h.sum((0, 2)) / top.sum((0, 2))


# wrong: divides the sum of the entropies by the sum of the logs instead of averaging the shares
# named: ratio_of_means
def ratio_of_sums_3(weights, mask):
    h = -torch.xlogy(weights, weights).sum(-1)
    n = mask.expand(weights.shape).sum(-1)
    return h.sum(dim=(0, 2)) / n.clamp(min=1).log().sum(dim=(0, 2))


# right
def select(weights, mask):
    full = torch.broadcast_to(mask, weights.shape)
    result = []
    for head in range(weights.shape[1]):
        w = weights[:, head].flatten(0, 1)
        n = full[:, head].flatten(0, 1).sum(-1)
        w, n = w[n > 1], n[n > 1]
        result.append((torch.special.entr(w).sum(-1) / n.log()).mean())
    return torch.stack(result)


# wrong: the mean of each sentence first
# named: sentence_first
def sentences_first(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return (share.sum(dim=2) / choice.sum(dim=2)).mean(dim=0)


# wrong: the minus sign forgotten
# named: negative
def sign(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))


# wrong: divides zero by zero
# named: zero_by_zero
def zero_by_zero(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    share = entropy / allowed.log()
    return share.mean(dim=(0, 2))


# wrong: the mean entropy as it is
# named: not_divided
def mean_entropy(weights, mask):
    return -torch.xlogy(weights, weights).sum(dim=-1).mean(dim=(0, 2))
