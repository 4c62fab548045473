"""Answers to single_head (lesson 02, exercise 4), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F

import course_checks as checks
from course_lib import scaled_dot_product_attention


# right
def sdpa(x, w_query, w_key, w_value):
    query, key, value = (F.linear(x, weight) for weight in (w_query, w_key, w_value))
    identity = torch.eye(x.shape[-2], dtype=x.dtype).expand(*x.shape[:-1], -1)
    return [F.scaled_dot_product_attention(query, key, v) for v in (value, identity)]


# right
def float64(x, w_query, w_key, w_value):
    y, wq, wk, wv = (part.double() for part in (x, w_query, w_key, w_value))
    weights = (y @ (wq.T @ wk) @ y.mT / wq.shape[0] ** 0.5).softmax(-1)
    return (weights @ y @ wv.T).to(x.dtype), weights.to(x.dtype)


# wrong: calls the reference of course_lib instead of writing it
# named: forbidden
def answer_of_course_lib(x, w_query, w_key, w_value):
    return scaled_dot_product_attention(x @ w_query.T, x @ w_key.T, x @ w_value.T)


# wrong: drops weights at random, as F.dropout does unless it is told that nobody trains
# named: answers_vary
def dropout_left_in(x, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, x @ w_key.T, x @ w_value.T
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    att = F.softmax(att, dim=-1)
    att = F.dropout(att, p=0.1)
    return att @ v, att


# wrong: the colleague's head as it was
# named: colleagues_head
def the_colleagues(x, w_query, w_key, w_value):
    query = key = value = x @ w_query.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(x.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


# wrong: detaches the weights, so w_query and w_key never learn
# named: cut_off
# points: 5
def weights_without_gradient(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    weights = weights.detach()
    return weights @ value, weights


# wrong: .T turns all dimensions of a batch round
# points: 4
# says: Does a .T turn all of them round
def T_of_a_batch(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.T / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights


# wrong: computes in float32
# named: dtype
# points: 5
def head_in_float32(x, *weights):
    args = (tensor.float() for tensor in (x, *weights))
    return checks.single_head.exercise.reference(*args)


# wrong: a whole root
# named: whole_root
def integer_root(x, w_query, w_key, w_value):
    q, k, v = x @ w_query.mT, x @ w_key.mT, x @ w_value.mT
    weights = torch.softmax(q @ k.mT / math.isqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, head_dim in (((4, 4), 4), ((5, 3), 6), ((2, 7), 2), ((3, 2, 5), 5)):
        yield randn(*shape), *(randn(head_dim, shape[-1]) / 2 for _ in range(3))
