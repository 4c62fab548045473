"""Answers to scaled_scores (lesson 02, exercise 2), right and wrong, as students write them."""

import functools
import math

import torch


# right
def einsum(query, key):
    return torch.einsum("...id,...jd->...ij", query, key) * key.size(-1) ** -0.5


# right
def before(query, key):
    root = query.shape[-1] ** 0.25
    return (query / root) @ (key / root).mT


# wrong: casts to float32
# named: dtype
def float32_forced(query, key):
    return query.float() @ key.float().transpose(-2, -1) / math.sqrt(query.shape[-1])


# wrong: computes under no_grad, so nothing before the scores can learn
# named: cut_off
# points: 5
def gradient_cut(query, key):
    with torch.no_grad():
        return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])


# wrong: divides the caller's query in place
# named: changes_input
# points: 5
def query_scaled_in_place(query, key):
    query /= math.sqrt(query.shape[-1])
    return query @ key.transpose(-2, -1)


# wrong: divides both query and key by the root, so by head_dim together
# named: no_square_root
def scale_both(query, key):
    s = math.sqrt(key.shape[-1])
    return torch.matmul(query / s, (key / s).mT)


# wrong: the scores are a quarter of what they should be
# says: Here each entry of your scores is 0.250 times
def wrong_ratio(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]) * 0.25


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for lead, t_q, t_k, d in (((), 3, 3, 3), ((4,), 4, 4, 4), ((3, 1), 2, 6, 9)):
        yield randn(*lead, t_q, d), randn(*lead, t_k, d)
