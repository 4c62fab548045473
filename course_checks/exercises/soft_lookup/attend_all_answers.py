"""Answers to attend_all (lesson 01, exercise 2), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F

from course_lib import scaled_dot_product_attention


# wrong: divides the absolute scores by their sum
# named: shares_of_scores
def absolute_scores_over_sum(query, key, value):
    scores = (query @ key.T).abs()
    weights = scores / scores.sum(dim=-1, keepdim=True)
    return weights @ value, weights


# wrong: calls the reference of course_lib instead of writing it
# named: forbidden
def answer_of_course_lib(query, key, value):
    return scaled_dot_product_attention(query, key, value, scale=1.0)


# wrong: normalises queries and keys to length 1 first
# named: cosine
def cosine_instead_of_dot(query, key, value):
    scores = F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).T
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


# right
def einsum_logsumexp(query, key, value):
    s = (query[:, None, :] * key[None, :, :]).sum(-1)
    w = (s - torch.logsumexp(s, 1)[:, None]).exp()
    return torch.einsum("ij,jv->iv", w, value), w


# wrong: takes the exponentials and does not divide by their sum
# named: not_normalised
def exp_not_normalised(query, key, value):
    weights = torch.exp(query @ key.T)
    return weights @ value, weights


# wrong: divides by the sum over the whole table because sum() got no dim
# named: softmax_over_all
def exp_over_the_total(query, key, value):
    e = torch.exp(query @ key.T)
    weights = e / e.sum()
    return weights @ value, weights


# wrong: computes the weights of the first query and repeats them for every query
# named: first_query_for_all
def first_query_for_all(query, key, value):
    first = torch.softmax(key @ query[0], dim=0)
    weights = first.expand(len(query), len(key))
    return weights @ value, weights


# wrong: turns everything into float32, so float64 inputs come back in another dtype
# named: dtype
def float32_forced(query, key, value):
    query, key, value = query.float(), key.float(), value.float()
    weights = torch.softmax(query @ key.T, dim=-1)
    return weights @ value, weights


# wrong: computes and returns everything in float16 for speed
# named: dtype
def half_precision(query, key, value):
    q, k, v = query.half(), key.half(), value.half()
    weights = torch.softmax(q @ k.T, dim=-1)
    return weights @ v, weights


# wrong: puts all weight on the best key
# named: hard_lookup
def hard_look_up(query, key, value):
    scores = query @ key.T
    weights = F.one_hot(scores.argmax(dim=-1), len(key)).to(query.dtype)
    return weights @ value, weights


# wrong: without keepdim the sums line up with the columns, if it runs at all
# named: keepdim_missing
def keepdim_forgotten(query, key, value):
    e = torch.exp(query @ key.T)
    weights = e / e.sum(dim=1)
    return weights @ value, weights


# wrong: makes the table key @ query.T and returns it as it is, (key_len, query_len): the weights are transposed, the output is right
# named: weights_returned_transposed
def kq(query, key, value):
    scores = key @ query.mT
    weights = torch.softmax(scores, dim=0)
    output = weights.mT @ value
    return output, weights


# wrong: still loops over the queries in Python
def list_comprehension(query, key, value):
    weights = torch.stack([torch.softmax(key @ q, dim=0) for q in query])
    return weights @ value, weights


# wrong: uses log_softmax for the returned weights (and exponentiates only for the output)
# named: logarithms
def log_softmax(query, key, value):
    logw = torch.log_softmax(torch.einsum("qd,kd->qk", query, key), dim=-1)
    return logw.exp() @ value, logw


# wrong: sets negative scores to 0 before dividing by the sum
# named: shares_of_scores
def negative_scores_cut(query, key, value):
    scores = (query @ key.T).clamp(min=0)
    weights = scores / scores.sum(dim=-1, keepdim=True)
    return weights @ value, weights


# wrong: divides by a sum without keepdim, so the row sums are laid along the key axis (an error unless square)
# named: keepdim_missing
def no_keepdim(query, key, value):
    e = torch.exp(query @ key.T)
    weights = e / e.sum(-1)
    return weights @ value, weights


# wrong: uses the dot products themselves as weights
# named: no_softmax
def no_softmax(query, key, value):
    weights = query @ key.T
    return weights @ value, weights


# wrong: returns the output without the weights
# named: output_alone
def output_alone(query, key, value):
    return torch.softmax(query @ key.T, dim=-1) @ value


# wrong: mixes the keys instead of the values
# named: keys_averaged
def output_mixes_the_keys(query, key, value):
    weights = torch.softmax(query @ key.T, dim=-1)
    return weights @ key, weights


# wrong: centres the caller's query in place before using it
# named: changes_input
def query_changed_in_place(query, key, value):
    weights = torch.softmax(query @ key.T, dim=-1)
    query -= query.mean(dim=-1, keepdim=True)
    return weights @ value, weights


# wrong: turns the keys with reshape instead of a transpose, which mixes the numbers of different keys
# named: not_transposed
def reshape_key(query, key, value):
    key_len, d = key.shape
    scores = query @ key.reshape(d, key_len)
    weights = scores.softmax(-1)
    return weights @ value, weights


# wrong: turns the keys round with reshape, which keeps the memory order, instead of a transpose
# named: not_transposed
def reshape_not_transpose(query, key, value):
    scores = query @ key.reshape(key.shape[1], key.shape[0])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


# wrong: returns weights, output
# named: swapped
def returned_in_the_wrong_order(query, key, value):
    weights = torch.softmax(query @ key.T, dim=-1)
    return weights, weights @ value


# right
def right_broadcast_products(query, key, value):
    scores = (query[:, None, :] * key[None, :, :]).sum(dim=-1)
    weights = (scores - scores.logsumexp(dim=1, keepdim=True)).exp()
    output = (weights[:, :, None] * value[None, :, :]).sum(dim=1)
    return output, weights


# right
def right_einsum(query, key, value):
    e = torch.einsum("id,jd->ij", query, key).exp()
    weights = e / torch.einsum("ij->i", e).unsqueeze(1)
    return torch.einsum("ij,jv->iv", weights, value), weights


# right
def right_float64_inside(query, key, value):
    scores = query.double() @ key.double().transpose(0, 1)
    weights = torch.softmax(scores, dim=-1)
    output = weights @ value.double()
    return output.to(query.dtype), weights.to(query.dtype)


# right
def right_keys_times_queries_then_turned(query, key, value):
    weights = F.softmax(key @ query.t(), dim=0).t()
    return weights.mm(value), weights


# right
def right_torch_attention_unscaled(query, key, value):
    output = F.scaled_dot_product_attention(query[None], key[None], value[None], scale=1.0)[0]
    weights = torch.softmax(torch.inner(query, key), dim=1)
    return output, weights


# right
def right_vmap(query, key, value):
    def one(q):
        w = torch.softmax(key @ q, dim=0)
        return w @ value, w

    output, weights = torch.vmap(one)(query)
    return output, weights


# wrong: divides by the square root of d, which is not part of this lesson
# named: scaled
def scale_from_the_paper(query, key, value):
    scores = query @ key.T / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


# wrong: divides the scores by their sum without taking exponentials first
# named: shares_of_scores
def scores_over_their_sum(query, key, value):
    scores = query @ key.T
    weights = scores / scores.sum(dim=-1, keepdim=True)
    return weights @ value, weights


# right
def sdpa_identity(query, key, value):
    eye = torch.eye(key.shape[0], dtype=key.dtype)
    weights = F.scaled_dot_product_attention(query, key, eye, scale=1.0)
    return torch.einsum("qk,kv->qv", weights, value), weights


# wrong: output from torch's scaled attention, weights without the scale
# named: scaled_output
def sdpa_scaled_output(query, key, value):
    output = F.scaled_dot_product_attention(query, key, value)
    weights = torch.softmax(query @ key.T, dim=-1)
    return output, weights


# wrong: the weights are right, but the output mixes with a softmax of the weights
# named: softmax_again_for_output
def second_softmax_in_the_output_only(query, key, value):
    weights = F.softmax(query @ key.T, dim=-1)
    output = F.softmax(weights, dim=-1) @ value
    return output, weights


# wrong: takes a sigmoid of each score
# named: sigmoid
def sigmoid_for_softmax(query, key, value):
    weights = torch.sigmoid(query @ key.T)
    return weights @ value, weights


# wrong: softmax over the queries
# named: softmax_over_queries
def softmax_dim0(query, key, value):
    weights = (query @ key.T).softmax(0)
    return weights @ value, weights


# wrong: softmax over the queries instead of the keys
# named: softmax_over_queries
def softmax_over_the_queries(query, key, value):
    weights = torch.softmax(query @ key.T, dim=0)
    return weights @ value, weights


# wrong: one softmax over all scores together, so only the whole table adds up to 1
# named: softmax_over_all
def softmax_over_the_whole_table(query, key, value):
    scores = query @ key.T
    weights = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)
    return weights @ value, weights


# wrong: applies softmax to the weights a second time
# named: softmax_twice
def softmax_twice(query, key, value):
    weights = torch.softmax(query @ key.T, dim=-1)
    weights = torch.softmax(weights, dim=-1)
    return weights @ value, weights


# wrong: divides by the sum over dim 0, the queries
# named: softmax_over_queries
def sum_of_the_columns(query, key, value):
    e = (query @ key.T).exp()
    weights = e / e.sum(0)
    return weights @ value, weights


# wrong: divides by the row sums without keepdim, so the sums lie along the columns (or do not fit)
# named: keepdim_missing
def sum_without_keepdim(query, key, value):
    weights = torch.exp(query @ key.T)
    weights = weights / weights.sum(dim=1)
    return weights @ value, weights


# wrong: multiplies the keys by the queries, so the table lies on its side
# named: roles_exchanged
def table_transposed(query, key, value):
    weights = torch.softmax(key @ query.T, dim=-1)
    return weights.T @ value if weights.shape[0] == len(value) else weights @ value, weights


# wrong: torch's attention divides by sqrt(d), and the weights here do not
# named: scaled_output
def torch_attention_with_its_scale(query, key, value):
    output = F.scaled_dot_product_attention(query[None], key[None], value[None])[0]
    weights = torch.softmax(query @ key.T, dim=-1)
    return output, weights
