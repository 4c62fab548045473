"""Answers to project_qkv (lesson 02, exercise 1), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F
from torch import nn


# wrong: the key is made from the query and the value from the key, not from x
def chain(x, w_query, w_key, w_value):
    query = x @ w_query.T
    if w_key.shape[1] == query.shape[-1]:
        key = query @ w_key.T
    else:
        key = x @ w_key.T
    value = x @ w_value.T
    return query, key, value


# wrong: returns one tensor with the three side by side
# named: joined
def concatenated(x, w_query, w_key, w_value):
    return torch.cat([x @ w_query.T, x @ w_key.T, x @ w_value.T], dim=-1)


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


# wrong: returns key, query, value
# named: query_key_exchanged
def key_and_query_swapped(x, w_query, w_key, w_value):
    return x @ w_key.T, x @ w_query.T, x @ w_value.T


# wrong: projects the query again to get the key
def key_from_the_query(x, w_query, w_key, w_value):
    query = x @ w_query.T
    key = query @ w_key.T if query.shape[-1] == w_key.shape[-1] else x @ w_key.T
    return query, key, x @ w_value.T


# wrong: copy-paste slip: the value is made with the key's weight
# named: key_as_value
def key_twice(x, w_query, w_key, w_value):
    query = x @ w_query.T
    key = x @ w_key.T
    value = x @ w_key.T
    return query, key, value


# wrong: key and value are swapped in the result
# named: key_value_exchanged
def kv_swapped(x, w_query, w_key, w_value):
    q, k, v = F.linear(x, torch.cat((w_query, w_key, w_value))).chunk(3, dim=-1)
    return q, v, k


# wrong: flattens the leading dimensions and never restores them
# named: flattened
def leading_dimensions_lost(x, w_query, w_key, w_value):
    flat = x.reshape(-1, x.shape[-1])
    return flat @ w_query.T, flat @ w_key.T, flat @ w_value.T


# wrong: multiplies the weight from the left, so the result is (head_dim, seq_len), not (seq_len, head_dim)
# named: answers_transposed
def left_product(x, w_query, w_key, w_value):
    return w_query @ x.mT, w_key @ x.mT, w_value @ x.mT


# wrong: wraps the weights in new nn.Parameters, so that no gradient reaches the given ones
# named: cut_off
def linear_parameter(x, w_query, w_key, w_value):
    outs = []
    for w in (w_query, w_key, w_value):
        layer = nn.Linear(w.shape[1], w.shape[0], bias=False)
        layer.weight = nn.Parameter(w)
        outs.append(layer(x))
    return tuple(outs)


# wrong: makes new nn.Linear layers with random weights and ignores the given ones
# named: answers_vary
def new_linear_layers(x, w_query, w_key, w_value):
    head_dim, d_model = w_query.shape
    layers = [nn.Linear(d_model, head_dim, bias=False) for _ in range(3)]
    return tuple(layer(x) for layer in layers)


# wrong: multiplies by the weights as they are stored
# named: not_transposed
def no_transpose(x, w_query, w_key, w_value):
    return x @ w_query, x @ w_key, x @ w_value


# wrong: computed under torch.no_grad, so no gradient reaches the weights
# named: cut_off
@torch.no_grad()
def nograd(x, w_query, w_key, w_value):
    return x @ w_query.T, x @ w_key.T, x @ w_value.T


# right
def one_big_linear(x, w_query, w_key, w_value):
    stacked = torch.stack((w_query, w_key, w_value))
    return tuple(torch.einsum("...d,nhd->n...h", x, stacked))


# wrong: uses w_query three times
# named: one_matrix
def one_matrix_for_all(x, w_query, w_key, w_value):
    return tuple(x @ w_query.T for _ in range(3))


# wrong: the einsum accepts inputs with exactly one batch dimension
def only_three_dims(x, w_query, w_key, w_value):
    return tuple(torch.einsum("bld,hd->blh", x, w) for w in (w_query, w_key, w_value))


# wrong: torch.bmm, which wants exactly one leading dimension
def only_with_a_batch(x, w_query, w_key, w_value):
    return tuple(torch.bmm(x, w.T.expand(x.shape[0], -1, -1)) for w in (w_query, w_key, w_value))


# wrong: returns query, value, key: the last two are swapped
# named: key_value_exchanged
def order(x, w_query, w_key, w_value):
    return x @ w_query.mT, x @ w_value.mT, x @ w_key.mT


# wrong: returns query, value, key
# named: key_value_exchanged
def order_of_the_results(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    return query, value, key


# right
def right_einsum(x, w_query, w_key, w_value):
    return [torch.einsum("...td,hd->...th", x, w) for w in (w_query, w_key, w_value)]


# right
def right_linear(x, w_query, w_key, w_value):
    return F.linear(x, w_query), F.linear(x, w_key), F.linear(x, w_value)


# right
def right_one_product_split(x, w_query, w_key, w_value):
    return (x @ torch.cat([w_query, w_key, w_value]).T).chunk(3, dim=-1)


# right
def right_stacked(x, w_query, w_key, w_value):
    return torch.stack([x @ w_query.T, x @ w_key.T, x @ w_value.T])


# right
def right_sum_of_products(x, w_query, w_key, w_value):
    return tuple((x.unsqueeze(-2) * w).sum(dim=-1) for w in (w_query, w_key, w_value))


# right
def right_weights_on_the_left(x, w_query, w_key, w_value):
    def project(w):
        return (w @ x.transpose(-2, -1)).transpose(-2, -1)

    return project(w_query), project(w_key), project(w_value)


# wrong: divides the query by the square root of head_dim already
# named: scaled
def scale_already_here(x, w_query, w_key, w_value):
    query = x @ w_query.T / math.sqrt(w_query.shape[0])
    return query, x @ w_key.T, x @ w_value.T


# wrong: puts a softmax on query and key
def softmax_on_the_query(x, w_query, w_key, w_value):
    return torch.softmax(x @ w_query.T, -1), torch.softmax(x @ w_key.T, -1), x @ w_value.T


# right
def stacked(x, w_query, w_key, w_value):
    big = torch.cat([w_query, w_key, w_value], dim=0)
    return torch.nn.functional.linear(x, big).chunk(3, dim=-1)


# wrong: multiplies by the weights as they are stored, without the transpose
# named: not_transposed
def transpose_forgotten(x, w_query, w_key, w_value):
    if x.shape[-1] == w_query.shape[0]:
        return x @ w_query, x @ w_key, x @ w_value
    return x @ w_query.T, x @ w_key.T, x @ w_value.T


# wrong: returns x itself as the value
# named: value_is_x
def value_not_projected(x, w_query, w_key, w_value):
    return x @ w_query.T, x @ w_key.T, x


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


# wrong: reshapes the weights to (d_model, head_dim) instead of transposing them
# named: reshaped
def weights_reshaped_for_transposed(x, w_query, w_key, w_value):
    shape = (w_query.shape[1], w_query.shape[0])
    return x @ w_query.reshape(shape), x @ w_key.reshape(shape), x @ w_value.reshape(shape)


# wrong: w @ x.T, so that features and tokens are swapped
# named: answers_transposed
def weights_times_x(x, w_query, w_key, w_value):
    xt = x.transpose(-2, -1)
    return w_query @ xt, w_key @ xt, w_value @ xt


# wrong: centres x in place
# named: changes_input
def x_changed_in_place(x, w_query, w_key, w_value):
    results = x @ w_query.T, x @ w_key.T, x @ w_value.T
    x -= x.mean(dim=-1, keepdim=True)
    return results


# wrong: cuts the answers off after 16 features
def sixteen_features(x, w_query, w_key, w_value):
    return tuple((x @ w.T)[..., :16] for w in (w_query, w_key, w_value))
