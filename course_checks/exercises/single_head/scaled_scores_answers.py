"""Answers to scaled_scores (lesson 02, exercise 2), right and wrong, as students write them."""

import math

import numpy as np
import torch
import torch.nn.functional as F


# wrong: key.T, which turns the leading dimensions around as well
# named: all_dimensions_reversed
def all_axes_turned(query, key):
    return query @ key.T / math.sqrt(query.shape[-1])


# wrong: takes head_dim from shape[1], which is the length once there is a batch
# named: second_dimension
def axis_one_for_head_dim(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[1])


# wrong: torch.bmm accepts exactly three dimensions
def bmm_only(query, key):
    return torch.bmm(query, key.transpose(1, 2)) / math.sqrt(query.size(-1))


# wrong: scales query and key each by sqrt(head_dim), so the scores are divided by head_dim
# named: no_square_root
def both_halves(query, key):
    s = query.shape[-1] ** -0.5
    return (query * s) @ (key * s).transpose(-1, -2)


# wrong: normalises query and key to length 1
# named: cosine
def cosine(query, key):
    return F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).transpose(-2, -1)


# wrong: divides by head_dim, without the root
# named: no_square_root
def divided_by_head_dim(query, key):
    return query @ key.transpose(-2, -1) / query.shape[-1]


# wrong: divides by the measured standard deviation of the scores
# named: measured
def divided_by_measured_deviation(query, key):
    scores = query @ key.transpose(-2, -1)
    return scores / scores.std()


# wrong: uses the keys of the first sentence for all
# named: first_keys
def first_of_the_batch(query, key):
    first = key.reshape(-1, *key.shape[-2:])[0]
    return query @ first.T / math.sqrt(query.shape[-1])


# wrong: transpose(0, 1), which swaps the last two axes only without a batch
# named: first_two_transposed
def first_two_axes_turned(query, key):
    return query @ key.transpose(0, 1) / math.sqrt(query.shape[-1])


# wrong: casts to float32
# named: dtype
def float32_forced(query, key):
    return query.float() @ key.float().transpose(-2, -1) / math.sqrt(query.shape[-1])


# wrong: scales only the query by the fourth root and forgets the key
# named: fourth_root
def fourth_root(query, key):
    return (query / query.shape[-1] ** 0.25) @ key.transpose(-2, -1)


# right
def fourth_roots(query, key):
    c = query.shape[-1] ** 0.25
    return torch.einsum("...id,...jd->...ij", query / c, key / c)


# wrong: computes under no_grad, so nothing before the scores can learn
# named: cut_off
def gradient_cut(query, key):
    with torch.no_grad():
        return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])


# wrong: divides the query in place, which changes the caller's tensor and fails on a leaf that needs a gradient
# named: changes_input
def in_place_query(query, key):
    query /= query.shape[-1] ** 0.5
    return query @ key.mT


# wrong: rounds the root down to a whole number
# named: whole_root
def integer_root(query, key):
    return query @ key.transpose(-2, -1) / int(math.sqrt(query.shape[-1]))


# wrong: divides by the root of the key length, not of head_dim
# named: key_len
def key_len(query, key):
    return query @ key.mT / math.sqrt(key.shape[-2])


# wrong: key @ query^T, so row i is about key i
# named: roles_exchanged
def keys_as_rows(query, key):
    return key @ query.transpose(-2, -1) / math.sqrt(query.shape[-1])


# wrong: multiplies by the square root
# named: multiplied
def multiplied_by_the_root(query, key):
    return query @ key.transpose(-2, -1) * math.sqrt(query.shape[-1])


# wrong: forgets the scale
# named: no_scale
def no_scale(query, key):
    return query @ key.transpose(-2, -1)


# wrong: goes through NumPy, which cuts the gradient and returns float64
# named: dtype
def numpy_break(query, key):
    q, k = query.detach().numpy(), key.detach().numpy()
    return torch.from_numpy(np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(q.shape[-1]))


# wrong: scales only the query and by head_dim ** -0.25, so the division is by the fourth root
# named: fourth_root
def quarter(query, key):
    q = query * query.size(-1) ** -0.25
    return q @ key.transpose(-2, -1)


# right
def quarter_power(query, key):
    s = query.shape[-1] ** -0.25
    return torch.einsum("...qd,...kd->...qk", query * s, key * s)


# wrong: divides the caller's query in place
# named: changes_input
def query_scaled_in_place(query, key):
    query /= math.sqrt(query.shape[-1])
    return query @ key.transpose(-2, -1)


# right
def right_broadcast_mean(query, key):
    products = query.unsqueeze(-2) * key.unsqueeze(-3)
    return products.mean(dim=-1) * math.sqrt(key.shape[-1])


# right
def right_einsum(query, key):
    return torch.einsum("...id,...jd->...ij", query, key) * query.size(-1) ** -0.5


# right
def right_float64_inside(query, key):
    d = torch.tensor(query.shape[-1], dtype=torch.float64)
    scores = torch.matmul(query.double(), key.double().transpose(-1, -2)) / d.sqrt()
    return scores.to(query.dtype)


# right
def right_fourth_roots(query, key):
    root = query.shape[-1] ** 0.25
    return (query / root) @ (key / root).mT


# right
def right_keys_left_then_swapped(query, key):
    return torch.matmul(key / math.sqrt(key.shape[-1]), query.swapaxes(-1, -2)).swapaxes(-1, -2)


# wrong: divides by 4, the root of the head_dim of the example
# named: constant
def root_of_16(query, key):
    head_dim = 16
    return query @ key.transpose(-2, -1) / math.sqrt(head_dim)


# wrong: divides by 8, the root of the 64 in the example
# named: constant
def root_of_64(query, key):
    return query @ key.transpose(-2, -1) / 8


# wrong: takes the root of query.numel()
# named: all_numbers
def root_of_all_numbers(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.numel())


# wrong: takes the root of the number of tokens
# named: query_len
def root_of_the_length(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-2])


# wrong: takes the root of the number of keys
# named: key_len
def root_of_the_number_of_keys(query, key):
    scores = query @ key.transpose(-2, -1)
    return scores / scores.shape[-1] ** 0.5


# wrong: divides both query and key by the root, so by head_dim together
# named: no_square_root
def scale_both(query, key):
    s = math.sqrt(key.shape[-1])
    return torch.matmul(query / s, (key / s).mT)


# wrong: divides query and key by the root each, so head_dim divides twice
# named: no_square_root
def scaled_on_both_sides(query, key):
    root = math.sqrt(query.shape[-1])
    return (query / root) @ (key / root).transpose(-2, -1)


# wrong: multiplies the query by itself
# named: query_twice
def self_attention_only(query, key):
    return query @ query.transpose(-2, -1) / math.sqrt(query.shape[-1])


# wrong: returns the weights after the softmax
# named: softmaxed
def softmax_included(query, key):
    return torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)


# wrong: sqrt(query.shape[0])
# named: first_dimension
def root_of_the_first_size(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[0])
