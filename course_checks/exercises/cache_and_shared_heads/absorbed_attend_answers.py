"""Answers to absorbed_attend (lesson 13, exercise 5), right and wrong, as students write them."""

import functools
import math

import torch


# right
def einsum(query, latent, key_up, value_up):
    absorbed = torch.einsum("hqd,hdl->hql", query, key_up)
    scores = torch.einsum("hql,kl->hqk", absorbed, latent) * query.shape[-1] ** -0.5
    mixed = torch.einsum("hqk,kl->hql", scores.softmax(-1), latent)
    return absorbed, mixed, torch.einsum("hql,hdl->hqd", mixed, value_up)


# right
def loop(query, latent, key_up, value_up):
    parts = []
    for q, w_k, w_v in zip(query, key_up, value_up, strict=True):
        asked = (w_k.T @ q.T).T
        mixed = torch.softmax(asked @ latent.mT / math.sqrt(q.shape[-1]), dim=-1) @ latent
        parts.append((asked, mixed, mixed @ w_v.T))
    return tuple(torch.stack(part) for part in zip(*parts, strict=True))


# wrong: the first head_dim numbers of what was mixed
# not named yet: ends_before_the_matrix
def cut(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed[..., : query.shape[-1]]
    return absorbed, mixed, output


# wrong: the keys of all heads, in one product
# named: plain_form
# points: 5
def keys_side_by_side(query, latent, key_up, value_up):
    h, d, c = key_up.shape
    k = (latent @ key_up.reshape(h * d, c).T).T.split(d)
    s = torch.stack([q @ kk for q, kk in zip(query, k)]) / math.sqrt(d)
    mixed = s.softmax(-1) @ latent
    return query @ key_up, mixed, mixed @ value_up.mT


# wrong: attends with keys and values of every head
def plain_form(query, latent, key_up, value_up):
    keys, values = latent @ key_up.mT, latent @ value_up.mT
    weights = (query @ keys.mT / query.shape[-1] ** 0.5).softmax(-1)
    return keys, values, weights @ values


# wrong: does not turn what it mixed into values
def no_matrix_at_the_end(query, latent, key_up, value_up):
    asks = query @ key_up
    mixed = (asks @ latent.T / query.shape[-1] ** 0.5).softmax(-1) @ latent
    return asks, mixed, mixed


# wrong: matrices of head 0
# named: one_head_for_all
# points: 4
def head_zero(query, latent, key_up, value_up):
    absorbed = query @ key_up[0]
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up[0].mT
    return absorbed, mixed, output


# wrong: keys and values one token at a time
# named: plain_form
def one_token_at_a_time(query, latent, key_up, value_up):
    scores = []
    for c in latent:
        k = key_up @ c
        scores.append((query * k[:, None]).sum(-1) / query.shape[-1] ** 0.5)
    p = torch.stack(scores, dim=-1).softmax(dim=-1)
    out = sum(p[..., j, None] * (value_up @ c)[:, None] for j, c in enumerate(latent))
    return query @ key_up, p @ latent, out


# right
def latents_in_a_loop(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = torch.stack([(absorbed * c).sum(-1) for c in latent], dim=-1)
    p = (scores / query.shape[-1] ** 0.5).softmax(dim=-1)
    mixed = sum(p[..., j, None] * c for j, c in enumerate(latent))
    return absorbed, mixed, mixed @ value_up.mT


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for heads, query_len, key_len, size, latent_dim in (
        (2, 2, 3, 2, 7),
        (3, 1, 4, 5, 3),
        (4, 3, 2, 4, 4),
        (1, 4, 6, 3, 2),
    ):
        matrices = (randn(heads, size, latent_dim) for _ in range(2))
        yield randn(heads, query_len, size), randn(key_len, latent_dim), *matrices
