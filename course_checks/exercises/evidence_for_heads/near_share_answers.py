"""Answers to near_share (lesson 11, exercise 1), right and wrong, as students write them."""

import torch
import torch.nn.functional as F


# wrong: keys after the query only
# named: one_side_only
def after_only(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = ((places - places[:, None]) >= 0) & (places - places[:, None] <= width)
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# right
def band(weights, width, mask):
    n = weights.shape[-1]
    band = torch.ones(n, n, dtype=torch.bool).tril(width) & torch.ones(n, n, dtype=torch.bool).triu(
        -width
    )
    mask = torch.broadcast_to(mask, weights.shape)
    inside = (mask & band).sum(-1, dtype=weights.dtype) / mask.sum(-1, dtype=weights.dtype)
    found = weights.masked_fill(~band, 0).sum(-1)
    return found.transpose(0, 1).flatten(1).mean(1), inside.transpose(0, 1).flatten(1).mean(1)


# right
def band_2(weights, width, mask):
    band = torch.ones(weights.shape[-2:]).tril(width).triu(-width)
    even = F.normalize(mask.broadcast_to(weights.shape).to(weights.dtype), p=1, dim=-1)
    per_head = lambda w: torch.einsum("bhqk,qk->h", w, band.to(w.dtype)) / (w.shape[0] * w.shape[2])
    return per_head(weights), per_head(even)


# right
def band_by_tril_triu(weights, width, mask):
    n = weights.shape[-1]
    torch.arange(n)
    near = torch.ones(n, n).tril(width).triu(-width)
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# wrong: the baseline spreads equal weights over all keys, also the blocked ones
# named: baseline_without_mask
def baseline_all_keys(weights, width, mask):
    n = weights.shape[-1]
    p = torch.arange(n)
    near = (p[:, None] - p).abs() <= width
    found = (weights * near).sum(-1).mean((0, 2))
    baseline = (torch.full_like(weights, 1 / n) * near).sum(-1).mean((0, 2))
    return found, baseline


# wrong: the baseline spreads over all keys, allowed or not
# named: baseline_without_mask
def baseline_all_keys_2(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = ((i[:, None] - i).abs() <= width).to(weights.dtype)
    found = (weights * near).sum(-1).mean(dim=(0, 2))
    return found, near.mean().expand(weights.shape[1])


# wrong: (2 width + 1) / length
# named: baseline_without_edges
def baseline_formula(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    return found, torch.full_like(found, (2 * width + 1) / n)


# wrong: the baseline without the mask
# named: baseline_without_mask
def baseline_of_all_keys(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = torch.ones_like(weights)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# wrong: a baseline without a head dimension
def baseline_one_number(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean()


# wrong: keys before the query only
# named: one_side_only
def before_only(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = ((places[:, None] - places) >= 0) & (places[:, None] - places <= width)
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# wrong: the baseline counts blocked keys that are near
# named: blocked_keys_near
def blocked_near_keys(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = (i[:, None] - i).abs() <= width
    found = (weights * near).sum(-1).mean(dim=(0, 2))
    allowed = mask.expand(weights.shape).sum(-1)
    return found, (near.sum(-1) / allowed).mean(dim=(0, 2))


# wrong: multiplies the weights in place
# named: changes_input
def changes_weights(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    weights *= near
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return tuple((w * near).sum(-1).mean(dim=(0, 2)) for w in (weights, even))


# right
def counts(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = torch.broadcast_to(mask, weights.shape)
    share = (allowed & near).sum(-1) / allowed.sum(-1)
    found = torch.where(near, weights, 0.0).sum(-1)
    return found.mean(dim=2).mean(dim=0), share.mean(dim=2).mean(dim=0).to(weights.dtype)


# wrong: the mask of the first sentence and head for all
def first_mask(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape)[:1, :1].expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# wrong: the first sentence only
# named: first_sentence_only
def first_sentence(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    mask = mask.expand(weights.shape)[:1]
    weights = weights[:1]
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# wrong: the last query only
def last_query(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return tuple((w * near).sum(-1)[:, :, -1].mean(dim=0) for w in (weights, even))


# wrong: < width instead of <= width
# named: width_off_by_one
def less_than(weights, width, mask):
    p = torch.arange(weights.shape[-1])
    near = (p[:, None] - p).abs() < width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    equal = allowed / allowed.sum(-1, keepdim=True)
    return tuple((w * near).sum(-1).mean((0, 2)) for w in (weights, equal))


# wrong: leaves out the key that is width places away
# named: width_off_by_one
def less_than_2(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = (i[:, None] - i).abs() < width
    equal = mask.expand(weights.shape).float()
    equal = equal / equal.sum(-1, keepdim=True)
    return tuple((w * near).sum(-1).mean(dim=(0, 2)) for w in (weights, equal))


# wrong: < instead of <=
# named: width_off_by_one
def less_than_width(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() < width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# right
def loops(weights, width, mask):
    batch, heads, n, _ = weights.shape
    mask = mask.expand(weights.shape)
    found, even = weights.new_zeros(heads), weights.new_zeros(heads)
    for b in range(batch):
        for i in range(n):
            near = slice(max(0, i - width), i + width + 1)
            found = found + weights[b, :, i, near].sum(-1)
            even = even + mask[b, :, i, near].sum(-1) / mask[b, :, i].sum(-1)
    return found / (batch * n), even / (batch * n)


# wrong: mask.sum(-1) without expanding, which counts 1 for a mask (..., query, 1)
# named: keys_not_expanded
def mask_sum_not_expanded(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = mask / mask.sum(dim=-1, keepdim=True)
    even = even.expand(weights.shape)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# wrong: mean over the near keys
# named: mean_weight
def means(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    count = near.sum(-1)
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return tuple(((w * near).sum(-1) / count).mean(dim=(0, 2)) for w in (weights, even))


# wrong: near keys that are blocked count
# named: blocked_keys_near
def near_and_blocked(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    return found, (near.sum(-1) / allowed.sum(-1)).mean(dim=(0, 2))


# wrong: no abs()
# named: sign_forgotten
def no_abs(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = places[:, None] - places <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# wrong: takes the allowed keys from the weights
def nonzero_weights(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = (weights > 0).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# wrong: without the query's own token
# named: itself_left_out
def not_itself(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = ((places[:, None] - places).abs() <= width) & (places[:, None] != places)
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# wrong: only keys before the query (and itself) are near, not those behind it
# named: one_side_only
def one_side(weights, width, mask):
    p = torch.arange(weights.shape[-1])
    gap = p[:, None] - p
    near = (gap >= 0) & (gap <= width)
    allowed = mask.expand(weights.shape).to(weights.dtype)
    equal = allowed / allowed.sum(-1, keepdim=True)
    return tuple((w * near).sum(-1).mean((0, 2)) for w in (weights, equal))


# wrong: counts the keys before the query only
# named: one_side_only
def only_before(weights, width, mask):
    L = weights.shape[-1]
    d = torch.arange(L)[:, None] - torch.arange(L)
    near = (d >= 0) & (d <= width)
    equal = mask.expand(weights.shape).float()
    equal = equal / equal.sum(-1, keepdim=True)
    return tuple((w * near).sum(-1).mean(dim=(0, 2)) for w in (weights, equal))


# wrong: a number for each sentence
# named: one_for_each_sentence
def over_heads(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(1, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(1, 2))


# wrong: near pairs over all pairs
# named: ratio_of_counts
def pairs(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    return found, (near * allowed).sum(dim=(0, 2, 3)) / allowed.sum(dim=(0, 2, 3))


# wrong: the baseline is near allowed keys over allowed keys of the whole table, not the mean of each query's share
# named: ratio_of_counts
def pooled(weights, width, mask):
    p = torch.arange(weights.shape[-1])
    near = (p[:, None] - p).abs() <= width
    allowed = mask.expand(weights.shape)
    found = (weights * near).sum(-1).mean((0, 2))
    baseline = (allowed & near).sum((0, 2, 3)) / allowed.sum((0, 2, 3))
    return found, baseline


# wrong: divides all near allowed pairs by all allowed pairs instead of averaging over the queries
# named: ratio_of_counts
def ratio_of_totals(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = (i[:, None] - i).abs() <= width
    found = (weights * near).sum(-1).mean(dim=(0, 2))
    allowed = mask.expand(weights.shape)
    return found, (allowed & near).sum(dim=(0, 2, 3)) / allowed.sum(dim=(0, 2, 3))


# wrong: the baseline is one number, not one for each head
def scalar_baseline(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = (i[:, None] - i).abs() <= width
    found = (weights * near).sum(-1).mean(dim=(0, 2))
    equal = mask.expand(weights.shape) / mask.expand(weights.shape).sum(-1, keepdim=True)
    return found, (equal * near).sum(-1).mean()


# right
def softmax_of_the_mask(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = ((places[:, None] - places).abs() <= width).to(weights.dtype)
    zeros = torch.zeros_like(weights).masked_fill(~mask, -torch.inf)
    both = torch.stack([weights, zeros.softmax(dim=-1)])
    found, baseline = torch.einsum("sbhqk,qk->sh", both, near) / (weights.shape[0] * n)
    return found, baseline


# wrong: adds up over the queries instead of averaging
# named: sums
def sums(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = (i[:, None] - i).abs() <= width
    equal = mask.expand(weights.shape).float()
    equal = equal / equal.sum(-1, keepdim=True)
    return tuple((w * near).sum(dim=(0, 2, 3)) for w in (weights, equal))


# wrong: baseline first
# named: swapped
def swapped(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return (even * near).sum(dim=-1).mean(dim=(0, 2)), found


# wrong: does not count the query's own token
# named: itself_left_out
def without_itself(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    d = (i[:, None] - i).abs()
    near = (d > 0) & (d <= width)
    equal = mask.expand(weights.shape).float()
    equal = equal / equal.sum(-1, keepdim=True)
    return tuple((w * near).sum(-1).mean(dim=(0, 2)) for w in (weights, equal))


# wrong: baseline counts the mask of sentence 0 only
# named: baseline_of_sentence_0
def baseline_of_sentence_0_too(weights, width, mask):
    p = torch.arange(weights.shape[-1])
    near = (p[:, None] - p).abs() <= width
    a = mask.expand(weights.shape)[0].to(weights.dtype)
    eq = a / a.sum(-1, keepdim=True)
    return (weights * near).sum(-1).mean((0, 2)), (eq * near).sum(-1).mean(1)


# right
def as_the_hints_say(weights, width, mask):
    positions = torch.arange(weights.shape[-1])
    near = (positions[:, None] - positions).abs() <= width
    allowed = mask.to(weights.dtype).expand(weights.shape)
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    found, baseline = ((w * near).sum(dim=-1).mean(dim=(0, 2)) for w in (weights, even))
    return found, baseline


# wrong: a mean over the keys
# named: mean_over_keys
def mean_over_all_keys(weights, width, mask):
    p = torch.arange(weights.shape[-1])
    near = (p[:, None] - p[None, :]).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    even = allowed / allowed.sum(-1, keepdim=True)
    return (weights * near).mean((0, 2, 3)), (even * near).mean((0, 2, 3))
