"""Answers to attend_all (lesson 01, exercise 2), right and wrong, as students write them."""

import functools

import torch

from course_lib import scaled_dot_product_attention


# right
def einsum(query, key, value):
    weights = torch.einsum("id,jd->ij", query, key).exp()
    weights = torch.einsum("ij,i->ij", weights, 1 / weights.sum(1))
    return torch.einsum("ij,jv->iv", weights, value), weights


# right
def float64(query, key, value):
    weights = torch.matmul(query.double(), key.double().mT).softmax(1)
    return (weights @ value.double()).to(value.dtype), weights.to(value.dtype)


# right
def vmap(query, key, value):
    weights = torch.vmap(lambda q: torch.softmax(key @ q, 0))(query)
    return weights @ value, weights


# wrong: calls the reference of course_lib instead of writing it
# named: forbidden
def answer_of_course_lib(query, key, value):
    return scaled_dot_product_attention(query, key, value, scale=1.0)


# wrong: computes the weights of the first query and repeats them for every query
# named: first_query_for_all
def first_query_for_all(query, key, value):
    first = torch.softmax(key @ query[0], dim=0)
    weights = first.expand(len(query), len(key))
    return weights @ value, weights


# wrong: computes and returns everything in float16 for speed
# named: dtype
def half_precision(query, key, value):
    q, k, v = query.half(), key.half(), value.half()
    weights = torch.softmax(q @ k.T, dim=-1)
    return weights @ v, weights


# wrong: uses log_softmax for the returned weights (and exponentiates only for the output)
# named: logarithms
# points: 3
def log_softmax(query, key, value):
    logw = torch.log_softmax(torch.einsum("qd,kd->qk", query, key), dim=-1)
    return logw.exp() @ value, logw


# wrong: centres the caller's query in place before using it
# named: changes_input
def query_changed_in_place(query, key, value):
    weights = torch.softmax(query @ key.T, dim=-1)
    query -= query.mean(dim=-1, keepdim=True)
    return weights @ value, weights


# wrong: the loop stands in a helper
# points: 5
# says: loops in Python in attend_one_by_one, which it calls
def attend_one_by_one(query, key, value):
    weights = torch.stack([torch.softmax(key @ row, dim=-1) for row in query])
    return weights @ value, weights


def calls_the_loop(query, key, value):
    return attend_one_by_one(query, key, value)


# wrong: the key is not transposed
# says: (2x3 and 4x3)
def multiplies_untransposed(query, key, value):
    return query @ key


# wrong: the key is not transposed
# says: must be transposed
def forgets_the_transpose(query, key, value):
    return query @ key


# wrong: the query is transposed in place of the key
# says: (3x2 and 4x3)
def transposes_the_query(query, key, value):
    return query.T @ key


# wrong: reads a matrix of the notebook's sizes
# says: 8x64 is no shape that we passed: do you use a var
def of_the_notebook(query, key, value):
    return torch.ones(8, 64) @ key, value


# wrong: compares the queries with themselves
# says: never uses what it gets as key and value
def ignores_the_keys(query, key, value):
    weights = torch.softmax(query @ query.T, dim=-1)
    return weights @ query, weights


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for t_q, t_k, d, d_v in ((2, 2, 2, 2), (7, 5, 3, 6), (1, 6, 4, 1)):
        yield randn(t_q, d), randn(t_k, d), randn(t_k, d_v)
