"""Answers to cross_attend (lesson 06, exercise 1), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F
from torch import nn


# right
def as_a_list(x, memory, w_query, w_key, w_value):
    q = x.matmul(w_query.t())
    k = memory.matmul(w_key.t())
    v = memory.matmul(w_value.t())
    scores = torch.matmul(q, k.transpose(-1, -2)).div(math.sqrt(q.size(-1)))
    weights = F.softmax(scores, dim=-1)
    return [torch.matmul(weights, v), weights]


# wrong: torch.bmm accepts exactly three dimensions
def bmm_only(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.size(-1)), dim=-1)
    return torch.bmm(weights, v), weights


# wrong: a causal mask is put on as in self-attention
# named: causal
def causal(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    future = torch.ones_like(scores).triu(1).bool()
    weights = scores.masked_fill(future, -math.inf).softmax(-1)
    return weights @ v, weights


# wrong: the weights are detached, so the query and key maps get no gradient
# named: cut_off
def detached_weights(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1).detach()
    return weights @ v, weights


# wrong: the scores are divided by head_dim, not by its root
# named: divided_by_head_dim
def divide_by_head_dim(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / w_query.shape[0]).softmax(-1)
    return weights @ v, weights


# right
def einsum(x, memory, w_query, w_key, w_value):
    q = torch.einsum("...qm,hm->...qh", x, w_query) / len(w_query) ** 0.5
    logits = torch.einsum("...qh,hm,...km->...qk", q, w_key, memory)
    p = torch.exp(F.log_softmax(logits, dim=-1))
    return torch.einsum("...qk,...km,hm->...qh", p, memory, w_value), p


# right
def einsum_and_logsumexp(x, memory, w_query, w_key, w_value):
    query = nn.functional.linear(x, w_query)
    key = nn.functional.linear(memory, w_key)
    value = nn.functional.linear(memory, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    return torch.einsum("...qk,...kd->...qd", weights, value), weights


# right
def exp_without_max(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    e = torch.exp(q @ k.mT / math.sqrt(q.shape[-1]))
    weights = e / e.sum(dim=-1, keepdim=True)
    return weights @ v, weights


# wrong: with a batch, every sentence reads the memory of the first one
# named: first_memory_for_all
def first_sentence_memory(x, memory, w_query, w_key, w_value):
    if memory.dim() > 2:
        memory = memory[:1].expand(memory.shape)
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights


# right
def float64_inside(x, memory, w_query, w_key, w_value):
    q, k, v = (
        a.double() @ w.double().T for a, w in ((x, w_query), (memory, w_key), (memory, w_value))
    )
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
    return (weights @ v).to(x.dtype), weights.to(x.dtype)


# wrong: w_value makes the keys and w_key the values
# named: key_value_exchanged
def key_and_value_swapped(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_value.T, memory @ w_key.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights


# wrong: the keys come from x where the widths and lengths allow it
def key_from_x(x, memory, w_query, w_key, w_value):
    source = x if x.shape[-1] == memory.shape[-1] and x.shape[-2] == memory.shape[-2] else memory
    q, k, v = x @ w_query.T, source @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights


# right
def keys_folded_into_the_query(x, memory, w_query, w_key, w_value):
    form = w_query.T @ w_key / w_query.shape[0] ** 0.5
    weights = (x @ form @ memory.transpose(-1, -2)).softmax(dim=-1)
    return weights @ (memory @ w_value.T), weights


# right
def loop_over_queries(x, memory, w_query, w_key, w_value):
    keys, values = memory @ w_key.T, memory @ w_value.T
    outputs, rows = [], []
    for i in range(x.shape[-2]):
        query = x[..., i, :] @ w_query.T
        scores = (keys * query.unsqueeze(-2)).sum(-1) / math.sqrt(w_query.shape[0])
        row = torch.softmax(scores, -1)
        rows.append(row)
        outputs.append((row.unsqueeze(-1) * values).sum(-2))
    return torch.stack(outputs, -2), torch.stack(rows, -2)


# wrong: the scores are multiplied by sqrt(head_dim) instead of divided
# named: multiplied_by_root
def multiplied_by_root(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT * math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights


# wrong: everything is computed under no_grad, so nothing can be learned
# named: cut_off
@torch.no_grad()
def no_grad(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights


# wrong: the scores are not divided by sqrt(head_dim)
# named: no_scale
def no_scale(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT).softmax(-1)
    return weights @ v, weights


# wrong: the matrices are not transposed where they happen to be square
def not_transposed(x, memory, w_query, w_key, w_value):
    def project(t, w):
        return t @ w if t.shape[-1] == w.shape[0] else t @ w.T

    q, k, v = project(x, w_query), project(memory, w_key), project(memory, w_value)
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights


# wrong: only the output is returned
# named: output_alone
def only_the_output(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v


# wrong: the values are averaged with the transposed weights where the lengths are equal
def output_by_columns(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    mixing = weights.mT if weights.shape[-1] == weights.shape[-2] else weights
    return mixing @ v, weights


# wrong: k.T reverses all dimensions of a batch instead of the last two
def plain_transpose(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.T / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights


# wrong: averages the memory itself without w_value
# named: value_not_projected
def raw_memory(x, memory, w_query, w_key, w_value):
    q, k = x @ w_query.T, memory @ w_key.T
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ memory, weights


# wrong: x is added to the output where its width allows it
# named: x_added
def residual(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    output = weights @ v
    return (output + x if output.shape == x.shape else output), weights


# wrong: adds the query to the output
def residual_2(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    w = torch.softmax(q @ k.mT * q.size(-1) ** -0.5, dim=-1)
    return q + w @ v, w


# wrong: the scores are returned in the place of the weights
# named: scores_returned
def returns_scores(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.softmax(-1) @ v, scores


# wrong: the memory asks and x is read
# named: exchanged
def roles_swapped(x, memory, w_query, w_key, w_value):
    q, k, v = memory @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights


# wrong: the scores are divided by the root of the width of the memory
# named: scaled_by_d_memory
def scale_d_memory(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(memory.shape[-1])).softmax(-1)
    return weights @ v, weights


# wrong: the scores are divided by sqrt(d_model) instead of sqrt(head_dim)
# named: scaled_by_d_model
def scale_d_model(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(x.shape[-1])).softmax(-1)
    return weights @ v, weights


# right
def scale_in_the_query(x, memory, w_query, w_key, w_value):
    query = x @ (w_query / math.sqrt(len(w_query))).T
    weights = torch.softmax(query @ (memory @ w_key.T).mT, dim=-1)
    return (weights @ memory) @ w_value.T, weights


# wrong: the scores are divided by the root of the number of keys
# named: scaled_by_key_len
def scale_key_len(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    scores = q @ k.mT
    weights = (scores / math.sqrt(scores.shape[-1])).softmax(-1)
    return weights @ v, weights


# wrong: divides by the root of the width of the memory instead of head_dim
# named: scaled_by_d_memory
def scale_memory(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    w = torch.softmax(q @ k.mT / math.sqrt(memory.shape[-1]), dim=-1)
    return w @ v, w


# wrong: the weights are divided by sqrt(head_dim) after the softmax
# named: scaled_too_late
def scaled_after_softmax(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT).softmax(-1) / math.sqrt(q.shape[-1])
    return weights @ v, weights


# wrong: x is scaled in place to spare memory, so the caller's x changes
# named: changes_input
def scaled_in_place(x, memory, w_query, w_key, w_value):
    k, v = memory @ w_key.T, memory @ w_value.T
    x /= math.sqrt(w_query.shape[0])
    weights = (x @ w_query.T @ k.mT).softmax(-1)
    return weights @ v, weights


# wrong: the query is scaled and then the scores are scaled again
# named: divided_by_head_dim
def scaled_twice(x, memory, w_query, w_key, w_value):
    scale = w_query.shape[0] ** -0.5
    q, k, v = x @ w_query.T * scale, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT * scale).softmax(-1)
    return weights @ v, weights


# right
def sdpa_identity(x, memory, w_query, w_key, w_value):
    lin = torch.nn.functional.linear
    folded = lin(lin(x, w_query), w_key.T) * w_query.size(0) ** -0.5
    weights = torch.einsum("...qm,...km->...qk", folded, memory).softmax(dim=-1)
    return lin(weights @ memory, w_value), weights


# wrong: x reads itself, the memory is not used
# named: self_attention
def self_attention(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights


# wrong: a sigmoid in the place of the softmax
# named: sigmoid
def sigmoid(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = torch.sigmoid(q @ k.mT / math.sqrt(q.shape[-1]))
    return weights @ v, weights


# wrong: softmax over dim=1, which is the keys of a two-dimensional input only
# named: softmax_over_axis_1
def softmax_dim_1(x, memory, w_query, w_key, w_value):
    q = x @ w_query.T
    k = memory @ w_key.T
    v = memory @ w_value.T
    weights = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=1)
    return weights @ v, weights


# wrong: no softmax, the scores are used as weights
# named: no_softmax
def softmax_missing(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = q @ k.mT / math.sqrt(q.shape[-1])
    return weights @ v, weights


# wrong: softmax over the queries (dim=-2) instead of the keys
# named: softmax_over_queries
def softmax_over_queries(x, memory, w_query, w_key, w_value):
    q = x @ w_query.T
    k = memory @ w_key.T
    v = memory @ w_value.T
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-2)
    return weights @ v, weights


# wrong: softmax of key @ query.T over the queries (each memory token shares its 1 among the tokens of x), turned round afterwards
# named: softmax_over_queries
def softmax_over_queries_2(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    s = k @ q.mT / math.sqrt(q.shape[-1])
    w = torch.softmax(s, dim=-1).mT
    return w @ v, w


# wrong: softmax over the queries
# named: softmax_over_queries
def softmax_over_queries_3(x, memory, w_query, w_key, w_value):
    q, k, v = F.linear(x, w_query), F.linear(memory, w_key), F.linear(memory, w_value)
    weights = torch.softmax(q @ k.mT / w_query.shape[0] ** 0.5, dim=-2)
    return weights @ v, weights


# wrong: returns weights without the scale beside a scaled output
# named: only_output_scaled
def unscaled_weights(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    return F.scaled_dot_product_attention(q, k, v), torch.softmax(q @ k.mT, dim=-1)


# wrong: averages the keys instead of the values
# named: value_is_key
def value_from_keys(x, memory, w_query, w_key, w_value):
    q, k = x @ w_query.T, memory @ w_key.T
    w = ((q / math.sqrt(q.size(-1))) @ k.transpose(-1, -2)).softmax(-1)
    return w @ k, w


# wrong: makes the values from x
# named: value_from_x
def value_from_x(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, x @ w_value.T
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights


# wrong: the keys are averaged instead of the values
# named: value_is_key
def value_is_key(x, memory, w_query, w_key, w_value):
    q, k = x @ w_query.T, memory @ w_key.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ k, weights


# wrong: the memory itself is averaged, without w_value
# named: value_not_projected
def value_is_memory(x, memory, w_query, w_key, w_value):
    q, k = x @ w_query.T, memory @ w_key.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ memory, weights


# wrong: weights and output are returned in the wrong order
# named: order
def weights_first(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights, weights @ v


# wrong: the weights are returned with rows and columns exchanged
# named: weights_transposed
def weights_transposed(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights.mT
