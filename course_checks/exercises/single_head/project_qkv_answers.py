"""Answers to project_qkv (lesson 02, exercise 1), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F
from torch import nn


# right
def linear(x, w_query, w_key, w_value):
    return [F.linear(x, weight) for weight in (w_query, w_key, w_value)]


# right
def einsum(x, *weights):
    return tuple(torch.einsum("...td,hd->...th", x, weight) for weight in weights)


# right
def chunk(x, w_query, w_key, w_value):
    return (x @ torch.cat([w_query, w_key, w_value]).T).chunk(3, dim=-1)


# wrong: the einsum sums over the weight's first axis (x W instead of x W^T)
def einsum_transposed(x, w_query, w_key, w_value):
    return tuple(torch.einsum("...d,dh->...h", x, w) for w in (w_query, w_key, w_value))


# wrong: projects only the first sentence of a batch
# named: first_sentence
def first_sentence_only(x, w_query, w_key, w_value):
    if x.dim() > 2:
        x = x[0]
    return x @ w_query.T, x @ w_key.T, x @ w_value.T


# wrong: detaches the results, so none of the three weights can learn
# named: cut_off
def gradient_cut(x, w_query, w_key, w_value):
    return tuple((x @ w.T).detach() for w in (w_query, w_key, w_value))


# wrong: flattens the leading dimensions and never restores them
# named: flattened
def leading_dimensions_lost(x, w_query, w_key, w_value):
    flat = x.reshape(-1, x.shape[-1])
    return flat @ w_query.T, flat @ w_key.T, flat @ w_value.T


# wrong: multiplies the weight from the left, so the result is (head_dim, seq_len), not (seq_len, head_dim)
# named: answers_transposed
def left_product(x, w_query, w_key, w_value):
    return w_query @ x.mT, w_key @ x.mT, w_value @ x.mT


# wrong: makes new nn.Linear layers with random weights and ignores the given ones
# named: answers_vary
def new_linear_layers(x, w_query, w_key, w_value):
    head_dim, d_model = w_query.shape
    layers = [nn.Linear(d_model, head_dim, bias=False) for _ in range(3)]
    return tuple(layer(x) for layer in layers)


# wrong: turns the weights round with view, which scrambles them
# named: reshaped
def view_not_transpose(x, w_query, w_key, w_value):
    head_dim, d_model = w_query.shape
    return tuple(x @ w.view(d_model, head_dim) for w in (w_query, w_key, w_value))


# wrong: splits the joined product with a stride, so every third column goes to the query
# named: every_third
def weights_mixed_when_split(x, w_query, w_key, w_value):
    joined = x @ torch.cat([w_query, w_key, w_value]).T
    return joined[..., 0::3], joined[..., 1::3], joined[..., 2::3]


# wrong: centres x in place
# named: changes_input
# points: 4
def x_changed_in_place(x, w_query, w_key, w_value):
    results = x @ w_query.T, x @ w_key.T, x @ w_value.T
    x -= x.mean(dim=-1, keepdim=True)
    return results


# wrong: cuts the answers off after 16 features
# points: 4
def sixteen_features(x, w_query, w_key, w_value):
    return tuple((x @ w.T)[..., :16] for w in (w_query, w_key, w_value))


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, head_dim in (((4, 4), 4), ((5, 3), 6), ((2, 7), 2), ((3, 2, 5), 5)):
        yield randn(*shape), *(randn(head_dim, shape[-1]) / 2 for _ in range(3))
