"""Answers to safe_attention (lesson 12, exercise 5), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F


# right
def by_hand(query, key, value, mask, is_causal, dropout, training):
    scores = query @ key.T / math.sqrt(query.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask
    if is_causal:
        hidden = hidden | torch.ones_like(hidden).triu(1 + len(key) - len(query))
    weights = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1).nan_to_num(0.0)
    return F.dropout(weights, dropout, training) @ value


# right
def where(query, key, value, mask, is_causal, dropout, training):
    n, m = len(query), len(key)
    mask = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    for i in range(n if is_causal else 0):
        mask[i, i + m - n + 1 :] = False
    empty = ~mask.any(dim=1)
    mask[empty, 0] = True
    out = F.scaled_dot_product_attention(query, key, value, mask, dropout if training else 0.0)
    return torch.where(empty[:, None], torch.zeros_like(out), out)


# right
def layer(query, key, value, mask, is_causal, dropout, training):
    """Row by row, each with the keys that it may see."""
    rows = []
    for i, q in enumerate(query):
        keys = torch.ones(len(key), dtype=torch.bool) if mask is None else mask[i].clone()
        if is_causal:
            keys[len(key) - len(query) + i + 1 :] = False
        if not keys.any():
            rows.append(value.new_zeros(value.shape[1]))
            continue
        one = (q[None], key[keys], value[keys])
        rows.append(F.scaled_dot_product_attention(*one, dropout_p=training * dropout)[0])
    return torch.stack(rows)


# wrong: True = blocked
# named: inverted
# points: 3
def blocked_where_true(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else ~mask
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return torch.where(some, out, torch.zeros_like(out))


# wrong: is_causal overwrites the mask
# named: mask_forgotten
# causal_replaces_mask = blocked_where_true: ~mask -> mask.clone()
# causal_replaces_mask = blocked_where_true: allowed = allowed & causal -> allowed = causal


# wrong: dropout is passed in any case
# named: drops_always
# drops_in_eval = blocked_where_true: ~mask -> mask.clone()
# drops_in_eval = blocked_where_true: p = dropout if training else 0.0 -> p = dropout


# wrong: dropout is never passed
# named: drops_never
# drops_nothing = blocked_where_true: ~mask -> mask.clone()
# drops_nothing = blocked_where_true: p = dropout if training else 0.0 -> p = 0.0


# wrong: empty rows are left to the kernel
# named: as_the_kernel_does
# left_to_the_kernel = blocked_where_true: ~mask -> mask.clone()
# left_to_the_kernel = blocked_where_true: =allowed | ~some, dropout_p= -> =allowed, dropout_p=
# left_to_the_kernel = blocked_where_true: return torch.where(some, out, torch.zeros_like(out)) -> return out


# wrong: with a mask, is_causal is ignored
# named: causal_forgotten
# mask_wins = blocked_where_true: ~mask -> mask.clone()
# mask_wins = blocked_where_true: allowed = allowed & causal -> allowed = allowed if mask is not None else causal


# wrong: is_causal is never used
# named: not_causal
# no_causal = blocked_where_true: ~mask -> mask.clone()
# no_causal = blocked_where_true: allowed = allowed & causal -> allowed = allowed


# wrong: empty rows see everything, and stay
# named: sees_everything
# no_zeros = blocked_where_true: ~mask -> mask.clone()
# no_zeros = blocked_where_true: return torch.where(some, out, torch.zeros_like(out)) -> return out


# wrong: one key of the future
# named: one_too_many
# one_key_more = blocked_where_true: ~mask -> mask.clone()
# one_key_more = blocked_where_true: (m - n) -> (m - n + 1)


# wrong: mask or causal
# named: either
# or_for_and = blocked_where_true: ~mask -> mask.clone()
# or_for_and = blocked_where_true: allowed = allowed & causal -> allowed = allowed | causal if mask is not None else causal


# wrong: without a mask, is_causal is PyTorch's own
# named: aligned_to_the_start
# points: 7
def switch_alone(query, key, value, mask, is_causal, dropout, training):
    p = dropout if training else 0.0
    if mask is None:
        return F.scaled_dot_product_attention(query, key, value, dropout_p=p, is_causal=is_causal)
    n, m = len(query), len(key)
    if is_causal:
        mask = mask & torch.ones(n, m, dtype=torch.bool).tril(m - n)
    some = mask.any(dim=-1, keepdim=True)
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask | ~some, dropout_p=p)
    return out.masked_fill(~some, 0.0)


# wrong: never drops where there is a mask
# named: drops_sometimes
def nodropswithamask(query, key, value, mask, is_causal, dropout, training):
    p = dropout if training else 0.0
    if is_causal:
        causal = torch.ones(len(query), len(key), dtype=torch.bool).tril(len(key) - len(query))
        mask = causal if mask is None else mask & causal
    q, k, v = (part[None, None] for part in (query, key, value))
    if mask is None:
        return F.scaled_dot_product_attention(q, k, v, dropout_p=p)[0, 0]
    has_any = mask.any(dim=-1, keepdim=True)
    output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask | ~has_any, dropout_p=0.0)
    return output[0, 0].masked_fill(~has_any, 0.0)


# wrong: never drops where it is causal
# named: drops_sometimes
def no_drops_when_causal(query, key, value, mask, is_causal, dropout, training):
    p = dropout if training else 0.0
    if is_causal:
        causal = torch.ones(len(query), len(key), dtype=torch.bool).tril(len(key) - len(query))
        mask = causal if mask is None else mask & causal
    q, k, v = (part[None, None] for part in (query, key, value))
    if mask is None:
        return F.scaled_dot_product_attention(q, k, v, dropout_p=p)[0, 0]
    has_any = mask.any(dim=-1, keepdim=True)
    output = F.scaled_dot_product_attention(
        q, k, v, attn_mask=mask | ~has_any, dropout_p=0.0 if is_causal else p
    )
    return output[0, 0].masked_fill(~has_any, 0.0)


# wrong: drops in eval mode where it is causal
# named: drops_always
# drops_when_causal = no_drops_when_causal: 0.0 if -> dropout if


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for query_len, key_len in ((1, 1), (3, 3), (2, 5), (4, 7)):
        for is_causal in (False, True):
            for mask in (None, torch.rand(query_len, key_len, generator=generator) < 0.5):
                yield (
                    *(randn(query_len, 4), randn(key_len, 4), randn(key_len, 2)),
                    *(mask, is_causal, 0.3, False),
                )
