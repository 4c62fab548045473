"""Answers to alibi_scores (lesson 07, exercise 6), right and wrong, as students write them."""

import math

import numpy as np
import torch


# wrong: the distance is added instead of subtracted
# named: added
def added(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores + slopes[:, None, None] * distance


# wrong: adds instead of subtracting
# named: added
def added_2(scores, slopes):
    q, k = scores.shape[-2:]
    d = (torch.arange(q)[:, None] + (k - q) - torch.arange(k)).abs()
    return scores + slopes[None, :, None, None] * d


# wrong: keys ahead of the query keep their score
# named: later_keys_free
def ahead_is_zero(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).clamp(min=0)
    return scores - slopes[:, None, None] * distance


# wrong: lays the slopes along the batch instead of along the heads
# named: slopes_by_batch
def batch_slopes(scores, slopes):
    q, k = scores.shape[-2:]
    gap = (torch.arange(k - q, k)[:, None] - torch.arange(k)).abs()
    return scores - slopes[:, None, None, None] * gap


# wrong: returns what is to be subtracted, not the new scores
# named: penalty_for_each
def bias_only(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return (-slopes[:, None, None] * distance).expand(scores.shape)


# wrong: adds the slope times the key's place, as BLOOM does, instead of subtracting the distance
# named: by_key
def bloom(scores, slopes):
    places = torch.arange(scores.shape[-1], dtype=scores.dtype)
    return scores + slopes.view(1, -1, 1, 1) * places


# wrong: the distances are stored as bytes, so 256 is 0
# named: wraps_at_256
def stored_as_bytes(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs().to(torch.uint8)
    return scores - slopes[:, None, None] * distance


# wrong: hides the keys ahead as well
# named: masked
def causal_hidden(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = places[:, None] - torch.arange(key_len)
    return (scores - slopes[:, None, None] * distance).masked_fill(distance < 0, -math.inf)


# right
def cdist(scores, slopes):
    place = torch.arange(scores.shape[-1], dtype=slopes.dtype).unsqueeze(1)
    asked = place[scores.shape[-1] - scores.shape[-2] :]
    loss = torch.einsum("h,qk->hqk", slopes, torch.cdist(asked, place, p=1.0))
    return scores.sub(loss.to(scores.dtype))


# wrong: the scores are detached, so attention learns nothing
# named: cut_off
def detached(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores.detach() - slopes[:, None, None] * distance


# wrong: the distance is divided by the number of keys
# named: shares
def divided_by_length(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs() / key_len
    return scores - slopes[:, None, None] * distance


# right
def einsum(scores, slopes):
    keys = torch.arange(scores.shape[-1], dtype=scores.dtype)
    queries = keys[len(keys) - scores.shape[-2] :]
    bias = torch.einsum(
        "h,qk->hqk", slopes.to(scores.dtype), torch.cdist(queries[:, None], keys[:, None], p=1.0)
    )
    return scores - bias.unsqueeze(0)


# wrong: the bias is put on the first sentence only
# named: first_sentence_only
def first_sentence(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    first = scores[:1] - slopes[:, None, None] * distance
    return torch.cat([first, scores[1:]])


# wrong: all heads get the slope of the first one
# named: one_slope
def first_slope(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores - slopes[0] * distance


# wrong: the distance to the last key, the same for all queries, as in a row of biases
# named: from_the_end
def from_the_last_key(scores, slopes):
    key_len = scores.shape[-1]
    distance = key_len - 1 - torch.arange(key_len)
    return scores - slopes[:, None, None] * distance


# right
def head_by_head(scores, slopes):
    query_len, key_len = scores.shape[2], scores.shape[3]
    offset = key_len - query_len
    rows = torch.stack([(torch.arange(key_len) - (i + offset)).abs() for i in range(query_len)])
    return torch.stack([scores[:, h] - s * rows for h, s in enumerate(slopes)], dim=1)


# wrong: later keys are hidden with -inf as well
# named: masked
def hides(scores, slopes):
    q, k = scores.shape[-2:]
    gap = torch.arange(k - q, k)[:, None] - torch.arange(k)
    return (scores - slopes[:, None, None] * gap.abs()).masked_fill(gap < 0, -math.inf)


# wrong: hides the later keys as well
# named: masked
def hides_future(scores, slopes):
    q, k = scores.shape[-2:]
    d = torch.arange(k - q, k)[:, None] - torch.arange(k)
    out = scores - slopes[:, None, None] * d.abs()
    return out.masked_fill(d < 0, float("-inf"))


# wrong: the caller's scores are changed
# named: changes_input
def in_place(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    with torch.no_grad():
        scores -= slopes[:, None, None] * distance
    return scores


# wrong: changes the caller's scores
# named: changes_input
def in_place_2(scores, slopes):
    q, k = scores.shape[-2:]
    d = (torch.arange(k - q, k)[:, None] - torch.arange(k)).abs()
    scores -= slopes[:, None, None] * d
    return scores


# right
def last_rows_of_a_square(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    p = torch.arange(key_len)
    square = torch.maximum(p[:, None] - p, p - p[:, None])
    bias = square[key_len - query_len :] * slopes.view(1, -1, 1, 1)
    return torch.sub(scores, bias)


# wrong: the logarithm of the distance
# named: logarithm
def logarithm(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs().float().log1p()
    return scores - slopes[:, None, None] * distance


# right
def loops(scores, slopes):
    _, heads, query_len, key_len = scores.shape
    biased = scores.clone()
    for h in range(heads):
        for i in range(query_len):
            for j in range(key_len):
                place = key_len - query_len + i
                biased[:, h, i, j] = scores[:, h, i, j] - slopes[h] * abs(place - j)
    return biased


# wrong: all heads get the mean of the slopes
# named: one_slope
def mean_slope(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores - slopes.mean() * distance


# wrong: the scores are multiplied by minus slope times distance
# named: multiplied
def multiplied(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores * (1 - slopes[:, None, None] * distance)


# wrong: the distance has a sign, so keys behind lose and keys ahead gain
# named: later_keys_gain
def no_abs(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = places[:, None] - torch.arange(key_len)
    return scores - slopes[:, None, None] * distance


# wrong: without the absolute value, so later keys gain
# named: later_keys_gain
def no_abs_2(scores, slopes):
    q, k = scores.shape[-2:]
    gap = torch.arange(k - q, k)[:, None] - torch.arange(k)
    return scores - slopes.view(-1, 1, 1) * gap


# wrong: the queries stand at the first places, also when there are more keys
# named: aligned_to_start
def no_cache(scores, slopes):
    q, k = scores.shape[-2:]
    gap = (torch.arange(q)[:, None] - torch.arange(k)).abs()
    return scores - slopes[:, None, None] * gap


# wrong: computed under no_grad
# named: cut_off
@torch.no_grad()
def no_grad(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores - slopes[:, None, None] * distance


# wrong: the queries stand one place too late
# named: one_too_late
def off_by_one(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len) + 1
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores - slopes[:, None, None] * distance


# wrong: with a cache the queries stand one place too early
# named: one_too_early
def off_by_one_with_cache(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    first = key_len - query_len
    places = torch.arange(first, key_len) - (1 if first else 0)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores - slopes[:, None, None] * distance


# wrong: uses the slopes 1/2, 1/4, ... of the paper instead of those given
# named: own_slopes
def own_slopes(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    own = 2.0 ** -torch.arange(1, len(slopes) + 1)
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores - own[:, None, None] * distance


# wrong: key minus query without abs
# named: earlier_keys_gain
def sign_turned(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = torch.arange(key_len) - places[:, None]
    return scores - slopes[:, None, None] * distance


# wrong: divides by the slope
# named: divided
def slope_inverse(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores - distance / slopes[:, None, None]


# wrong: lets the slopes line up with the queries instead of the heads
# named: slopes_by_key
def slopes_along_queries(scores, slopes):
    q, k = scores.shape[-2:]
    d = (torch.arange(k - q, k)[:, None] - torch.arange(k)).abs()
    return scores - slopes[:, None] * d


# wrong: the slopes go along the batch where it is as large as the heads
def slopes_on_batch(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    if scores.shape[0] == len(slopes):
        return scores - slopes[:, None, None, None] * distance
    return scores - slopes[:, None, None] * distance


# wrong: slopes without the two 1s, which line up with the keys where there are as many
def slopes_on_keys(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    if len(slopes) == key_len:
        return scores - slopes * distance
    return scores - slopes[:, None, None] * distance


# wrong: the slopes are sorted
# named: sorted
def slopes_reversed(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return scores - slopes.sort().values[:, None, None] * distance


# wrong: returns the weights instead of the scores
# named: softmaxed
def softmax_after(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs()
    return (scores - slopes[:, None, None] * distance).softmax(dim=-1)


# wrong: the square of the distance
# named: squared
def squared(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)) ** 2
    return scores - slopes[:, None, None] * distance


# wrong: a table of distances for 128 places, larger ones count as 127
# named: far_keys_alike
def table_of_128(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = torch.arange(key_len - query_len, key_len)
    distance = (places[:, None] - torch.arange(key_len)).abs().clamp(max=127)
    return scores - slopes[:, None, None] * distance


# right
def through_numpy(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    places = np.arange(key_len)
    distance = np.abs(places[key_len - query_len :, None] - places[None])
    bias = slopes.reshape(-1, 1, 1) * torch.from_numpy(distance).to(scores.dtype)
    return scores.sub(bias)


# right
def toeplitz(scores, slopes):
    q, k = scores.shape[-2:]
    row = torch.arange(k, device=scores.device)
    col = row[k - q :].reshape(q, 1)
    gap = torch.maximum(row, col) - torch.minimum(row, col)
    return torch.sub(scores, torch.einsum("h,qk->hqk", slopes, gap.to(slopes.dtype)))


# wrong: the table of distances is (key, query), which fits where the lengths are equal
# named: aligned_to_start
def transposed(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    keys = torch.arange(key_len)
    distance = (torch.arange(query_len) - keys[:, None]).abs()
    if query_len == key_len:
        return scores - slopes[:, None, None] * distance
    return scores - slopes[:, None, None] * distance.T


# right
def vmap_over_heads(scores, slopes):
    query_len, key_len = scores.shape[-2:]
    distance = (
        torch.arange(key_len)[None] - torch.arange(key_len - query_len, key_len)[:, None]
    ).abs()
    return torch.vmap(lambda s, m: s - m * distance, in_dims=(1, 0), out_dims=1)(scores, slopes)


# wrong: slopes along the batch
# named: slopes_by_batch
def slope_of_sentence(scores, slopes):
    q, k = scores.shape[-2:]
    d = (torch.arange(k - q, k)[:, None] - torch.arange(k)).abs()
    s = slopes[torch.arange(len(scores)) % len(slopes)]
    return scores - s[:, None, None, None] * d


# wrong: the slopes meet the keys
# named: slopes_by_key
def slopes_beside_the_keys(scores, slopes):
    q, k = scores.shape[-2:]
    distance = (torch.arange(k - q, k)[:, None] - torch.arange(k)).abs()
    return scores - slopes * distance
