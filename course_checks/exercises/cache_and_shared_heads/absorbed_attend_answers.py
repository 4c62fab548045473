"""Answers to absorbed_attend (lesson 13, exercise 5), right and wrong, as students write them."""

import math

import torch


# wrong: the first head_dim numbers of what was mixed
# not named yet: ends_before_the_matrix
def cut(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed[..., : query.shape[-1]]
    return absorbed, mixed, output


# wrong: divided by head_dim
# named: scaled_twice
def head_dim_itself(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.mT / query.shape[-1]
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return absorbed, mixed, output


# wrong: matrices of head 0
# named: one_head_for_all
def head_zero(query, latent, key_up, value_up):
    absorbed = query @ key_up[0]
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up[0].mT
    return absorbed, mixed, output


# wrong: key_up at the end
# named: key_matrix_at_the_end
def keys_at_the_end(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ key_up.mT
    return absorbed, mixed, output


# wrong: key_up of head 0
# named: one_head_for_all
def keys_of_head_zero(query, latent, key_up, value_up):
    absorbed = query @ key_up[0]
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return absorbed, mixed, output


# wrong: no scale
# named: not_scaled
def no_scale(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.mT / 1
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return absorbed, mixed, output


# wrong: absorbed queries averaged
# named: heads_averaged
def one_question(query, latent, key_up, value_up):
    absorbed = (query @ key_up).mean(0, keepdim=True).expand(len(query), -1, -1)
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return absorbed, mixed, output


# wrong: the output comes first
def output_first(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return output, absorbed, mixed


# wrong: softmax over the queries
# named: softmax_over_queries
def over_the_queries(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=1) @ latent
    output = mixed @ value_up.mT
    return absorbed, mixed, output


# right
def right_f_linear(query, latent, key_up, value_up):
    absorbed = torch.bmm(query, key_up)
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = torch.bmm(mixed, value_up.transpose(1, 2))
    return absorbed, mixed, output


# wrong: makes the keys; the three answers are the same
# named: plain_form
def keys_made(query, latent, key_up, value_up):
    keys = torch.stack([latent @ w.T for w in key_up])
    weights = torch.softmax(query @ keys.mT / query.shape[-1] ** 0.5, dim=-1)
    mixed = torch.tensordot(weights, latent, dims=1)
    return query @ key_up, mixed, mixed @ value_up.mT


# right
def right_wide(query, latent, key_up, value_up):
    """All heads as rows of one tall matrix."""
    heads, length, size = query.shape
    absorbed = (query @ key_up).reshape(heads * length, -1)
    weights = torch.softmax(latent @ absorbed.T * size**-0.5, dim=0).T
    mixed = (weights @ latent).reshape(heads, length, -1)
    output = (value_up[:, None] @ mixed[..., None]).squeeze(-1)
    return [absorbed.reshape_as(mixed), mixed, output]


# wrong: the root of latent_dim
# named: scaled_by_latent
def root_of_latent_dim(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.mT / math.sqrt(latent.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return absorbed, mixed, output


# wrong: the absorbed query is divided
# named: scaled_query_returned
def scaled_too_early(query, latent, key_up, value_up):
    absorbed = query @ key_up / math.sqrt(query.shape[-1])
    scores = absorbed @ latent.mT / 1
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return absorbed, mixed, output


# wrong: both matrices exchanged
# named: both_exchanged
def swapped(query, latent, key_up, value_up):
    absorbed = query @ value_up
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ key_up.mT
    return absorbed, mixed, output


# wrong: value_up for the query
# named: value_matrix_for_query
def values_into_the_query(query, latent, key_up, value_up):
    absorbed = query @ value_up
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return absorbed, mixed, output


# wrong: returns the weights
def weights_for_mixed(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return absorbed, torch.softmax(scores, dim=-1), output


# wrong: makes keys and values
# named: plain_form
def plain_form_too(query, latent, key_up, value_up):
    k, v = latent @ key_up.mT, latent @ value_up.mT
    w = (query @ k.mT / query.shape[-1] ** 0.5).softmax(-1)
    return query @ key_up, w @ latent, w @ v


# wrong: makes the values of all tokens, and no keys
# named: plain_form
def plain_form_too_2(query, latent, key_up, value_up):
    q = query @ key_up
    w = (q @ latent.T / query.shape[-1] ** 0.5).softmax(-1)
    return q, w @ latent, w @ (latent @ value_up.mT)


# wrong: the keys of all heads, in one product
# named: plain_form
def keys_side_by_side(query, latent, key_up, value_up):
    h, d, c = key_up.shape
    k = (latent @ key_up.reshape(h * d, c).T).T.split(d)
    s = torch.stack([q @ kk for q, kk in zip(query, k)]) / math.sqrt(d)
    mixed = s.softmax(-1) @ latent
    return query @ key_up, mixed, mixed @ value_up.mT


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
