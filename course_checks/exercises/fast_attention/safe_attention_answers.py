"""Answers to safe_attention (lesson 12, exercise 5), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F


# wrong: True = blocked
# named: inverted
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
def causal_replaces_mask(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return torch.where(some, out, torch.zeros_like(out))


# wrong: dropout is passed in any case
# named: drops_always
def drops_in_eval(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return torch.where(some, out, torch.zeros_like(out))


# wrong: dropout is never passed
# named: drops_never
def drops_nothing(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return torch.where(some, out, torch.zeros_like(out))


# wrong: the mask as ones and zeros
# named: added_as_numbers
def float_mask(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(
        query, key, value, attn_mask=(allowed | ~some).float(), dropout_p=p
    )
    return torch.where(some, out, torch.zeros_like(out))


# wrong: empty rows are left to the kernel
# named: as_the_kernel_does
def left_to_the_kernel(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, dropout_p=p)
    return out


# wrong: the mask is never used
# named: mask_ignored
def mask_never_used(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = (
        torch.ones(n, m, dtype=torch.bool) if mask is None else torch.ones(n, m, dtype=torch.bool)
    )
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return torch.where(some, out, torch.zeros_like(out))


# wrong: with a mask, is_causal is ignored
# named: causal_forgotten
def mask_wins(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed if mask is not None else causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return torch.where(some, out, torch.zeros_like(out))


# wrong: nan becomes 0 and a mean stays
# named: as_the_kernel_does
def nan_mended(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, dropout_p=p)
    return torch.nan_to_num(out)


# wrong: is_causal is never used
# named: not_causal
def no_causal(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return torch.where(some, out, torch.zeros_like(out))


# wrong: empty rows see everything, and stay
# named: sees_everything
def no_zeros(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return out


# wrong: one key of the future
# named: one_too_many
def one_key_more(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n + 1)
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return torch.where(some, out, torch.zeros_like(out))


# wrong: mask or causal
# named: either
def or_for_and(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed | causal if mask is not None else causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return torch.where(some, out, torch.zeros_like(out))


# right
def right_causal_by_positions(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.arange(m)[None, :] <= torch.arange(m - n, m)[:, None]
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return torch.where(some, out, torch.zeros_like(out))


# right
def right_inf_bias(query, key, value, mask, is_causal, dropout, training):
    """Adds minus infinity, gives empty rows a row of zeros to add, and clears them."""
    bias = torch.zeros(len(query), len(key))
    if mask is not None:
        bias[~mask] = -torch.inf
    if is_causal:
        bias += torch.full_like(bias, -torch.inf).triu(len(key) - len(query) + 1)
    empty = torch.isinf(bias).all(dim=1)
    bias[empty] = 0.0
    out = F.scaled_dot_product_attention(
        query, key, value, attn_mask=bias, dropout_p=dropout if training else 0.0
    )
    return out.index_fill(0, empty.nonzero()[:, 0], 0.0)


# right
def right_multiply(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return out * some


# wrong: drops where nobody trains
# named: drops_always
def training_turned(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = 0.0 if training else dropout
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return torch.where(some, out, torch.zeros_like(out))


# wrong: the triangle starts at the first key
# named: aligned_to_the_start
def tril_zero(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril()
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed | ~some, dropout_p=p)
    return torch.where(some, out, torch.zeros_like(out))


# wrong: without a mask, is_causal is PyTorch's own
# named: aligned_to_the_start
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


# wrong: dropout applied to the output with F.dropout
# named: drops_no_weights
def drops_no_weights_too(query, key, value, mask, is_causal, dropout, training):
    m = torch.ones(len(query), len(key), dtype=torch.bool)
    if is_causal:
        m = m.tril(len(key) - len(query))
    if mask is not None:
        m = m & mask
    has = m.any(-1, keepdim=True)
    out = F.scaled_dot_product_attention(query[None], key[None], value[None], (m | ~has)[None])[
        0
    ].masked_fill(~has, 0)
    return F.dropout(out, dropout, training)


# wrong: empty rows looked for in mask only
# named: as_the_kernel_does
def as_the_kernel_does_too(query, key, value, mask, is_causal, dropout, training):
    m = torch.ones(len(query), len(key), dtype=torch.bool)
    has = (
        torch.ones(len(query), 1, dtype=torch.bool) if mask is None else mask.any(-1, keepdim=True)
    )
    if is_causal:
        m = m.tril(len(key) - len(query))
    if mask is not None:
        m = m & mask
    out = F.scaled_dot_product_attention(
        query[None], key[None], value[None], (m | ~has)[None], dropout if training else 0.0
    )[0]
    return out.masked_fill(~has, 0)


# wrong: dropout without rescaling
# named: drops_no_weights
def drops_no_weights_too_2(query, key, value, mask, is_causal, dropout, training):
    m = torch.ones(len(query), len(key), dtype=torch.bool)
    if is_causal:
        m = m.tril(len(key) - len(query))
    if mask is not None:
        m = m & mask
    s = (query @ key.T / query.shape[-1] ** 0.5).masked_fill(~m, -math.inf)
    w = s.softmax(-1).masked_fill(~m.any(-1, keepdim=True), 0)
    if training:
        w = w * (torch.rand_like(w) >= dropout)
    return w @ value


# wrong: True = blocked, by hand
# named: inverted
def blocked_where_true_by_hand(query, key, value, mask, is_causal, dropout, training):
    n, m = len(query), len(key)
    allowed = torch.ones(n, m, dtype=torch.bool)
    if is_causal:
        allowed = allowed.tril(m - n)
    if mask is not None:
        allowed = allowed & ~mask
    scores = query @ key.T / math.sqrt(query.shape[-1])
    scores = scores.masked_fill(~allowed, -math.inf)
    w = torch.nan_to_num(scores.softmax(-1), nan=0.0)
    return F.dropout(w, dropout, training) @ value


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
def drops_when_causal(query, key, value, mask, is_causal, dropout, training):
    p = dropout if training else 0.0
    if is_causal:
        causal = torch.ones(len(query), len(key), dtype=torch.bool).tril(len(key) - len(query))
        mask = causal if mask is None else mask & causal
    q, k, v = (part[None, None] for part in (query, key, value))
    if mask is None:
        return F.scaled_dot_product_attention(q, k, v, dropout_p=p)[0, 0]
    has_any = mask.any(dim=-1, keepdim=True)
    output = F.scaled_dot_product_attention(
        q, k, v, attn_mask=mask | ~has_any, dropout_p=dropout if is_causal else p
    )
    return output[0, 0].masked_fill(~has_any, 0.0)
