"""Answers to single_head (lesson 02, exercise 4), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F

from course_lib import scaled_dot_product_attention


# wrong: calls the reference of course_lib instead of writing it
# named: forbidden
def answer_of_course_lib(x, w_query, w_key, w_value):
    return scaled_dot_product_attention(x @ w_query.T, x @ w_key.T, x @ w_value.T)


# wrong: hides the later tokens, which nobody asked for
# named: causal
def causal_mask_added(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    later = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool).triu(1)
    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
    return weights @ value, weights


# wrong: hides the diagonal to cure the symptom
# named: itself_hidden
def diagonal_forbidden(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    own = torch.eye(x.shape[-2], dtype=torch.bool, device=x.device)
    weights = torch.softmax(scores.masked_fill(own, -1e9), dim=-1)
    return weights @ value, weights


# wrong: divides by head_dim, without the root
# named: no_square_root
def divided_by_head_dim(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / query.shape[-1], dim=-1)
    return weights @ value, weights


# wrong: drops weights at random, as F.dropout does unless it is told that nobody trains
# named: answers_vary
def dropout_left_in(x, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, x @ w_key.T, x @ w_value.T
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    att = F.softmax(att, dim=-1)
    att = F.dropout(att, p=0.1)
    return att @ v, att


# wrong: all sentences get the weights of the first one
# named: first_sentence
def first_sentence_only(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    if x.dim() > 2:
        weights = weights[:1].expand_as(weights)
    return weights @ value, weights


# right
def folded(x, w_query, w_key, w_value):
    both = w_query.T @ w_key
    p = (torch.einsum("...id,de,...je->...ij", x, both, x) / len(w_query) ** 0.5).softmax(-1)
    return (p @ x) @ w_value.T, p


# wrong: the value is mended, the key is still made with w_query
# named: query_is_key
def key_still_the_query(x, w_query, w_key, w_value):
    query = key = x @ w_query.T
    value = x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights


# wrong: uses w_value for the keys and w_key for the values
# named: key_value_exchanged
def keys_and_values_swapped(x, w_query, w_key, w_value):
    query, value, key = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights


# right
def low_rank(x, w_query, w_key, w_value):
    middle = w_query.T @ w_key
    scores = x @ middle @ x.mT * w_query.shape[0] ** -0.5
    weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
    return (weights @ x) @ w_value.T, weights


# wrong: pasted from a GPT: a causal mask hides the later tokens
# named: causal
def nano_gpt_causal(x, w_query, w_key, w_value):
    T = x.shape[-2]
    q, k, v = x @ w_query.T, x @ w_key.T, x @ w_value.T
    wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
    wei = wei.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf"))
    wei = F.softmax(wei, dim=-1)
    return wei @ v, wei


# wrong: leaves the scale out
# named: no_scale
def no_scale(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1)
    return weights @ value, weights


# wrong: key @ query^T
# named: query_key_exchanged
def queries_and_keys_swapped(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(key @ query.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights


# right
def right_linear_and_einsum(x, w_query, w_key, w_value):
    q, k, v = (F.linear(x, w) for w in (w_query, w_key, w_value))
    scores = torch.einsum("...id,...jd->...ij", q, k) / k.size(-1) ** 0.5
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    weights = weights / weights.sum(-1, keepdim=True)
    return torch.einsum("...ij,...jd->...id", weights, v), weights


# right
def right_matrices_joined(x, w_query, w_key, w_value):
    form = w_query.T @ w_key / math.sqrt(w_query.shape[0])  # (d_model, d_model)
    weights = torch.softmax(x @ form @ x.mT, dim=-1)
    return (weights @ x) @ w_value.T, weights


# right
def right_sentence_by_sentence(x, w_query, w_key, w_value):
    if x.dim() > 2:
        pairs = [single_head(sentence, w_query, w_key, w_value) for sentence in x]
        return torch.stack([p[0] for p in pairs]), torch.stack([p[1] for p in pairs])
    outputs, rows = [], []
    for token in x:
        query = w_query @ token
        scores = torch.stack([query @ (w_key @ other) for other in x]) / len(query) ** 0.5
        rows.append(torch.softmax(scores, dim=0))
        outputs.append(sum(w * (w_value @ other) for w, other in zip(rows[-1], x)))
    return torch.stack(outputs), torch.stack(rows)


# right
def right_torch_attention(x, w_query, w_key, w_value):
    q, k, v = F.linear(x, w_query), F.linear(x, w_key), F.linear(x, w_value)
    lead = x.shape[:-2]
    q, k, v = (t.reshape(-1, 1, *t.shape[-2:]) for t in (q, k, v))
    output = F.scaled_dot_product_attention(q, k, v)
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
    return output.reshape(*lead, *output.shape[-2:]), weights.reshape(*lead, *weights.shape[-2:])


# wrong: the root of head_dim, but one projection for all three roles
# named: one_matrix
def roles_not_mended(x, w_query, w_key, w_value):
    query = key = value = x @ w_query.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


# wrong: writes the 16 of the example for head_dim
# named: constant
def root_of_16(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / 4.0, dim=-1)
    return weights @ value, weights


# wrong: divides by the root of the number of tokens
# named: root_of_length
def root_of_the_length(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(x.shape[-2]), dim=-1)
    return weights @ value, weights


# wrong: divides the weights by sqrt(head_dim) after the softmax, not the scores before it
# named: scaled_after
def scale_after(x, w_query, w_key, w_value):
    q, k, v = (x @ w.T for w in (w_query, w_key, w_value))
    w = torch.softmax(q @ k.mT, dim=-1) / math.sqrt(q.shape[-1])
    return w @ v, w


# wrong: divides the weights by the root after the softmax
# named: scaled_after
def scale_after_the_softmax(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1) / math.sqrt(query.shape[-1])
    return weights @ value, weights


# wrong: mends the roles but still scales with d_model (reads the wrong axis of the weight)
# named: scaled_by_d_model
def scale_d_model(x, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(w_query.shape[1]), dim=-1)
    return weights @ v, weights


# wrong: three projections, but still the root of d_model
# named: scaled_by_d_model
def scale_not_mended(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(x.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


# wrong: multiplies by the root of head_dim
# named: multiplied
def scaled_by_multiplying(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) * math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights


# wrong: returns the scores in place of the weights
# named: scores_returned
def scores_returned(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value, scores


# wrong: returns the scores before the softmax in the place of the weights
# named: scores_returned
def scores_returned_2(x, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = q @ k.mT / math.sqrt(w_query.shape[0])
    return F.softmax(weights, dim=-1) @ v, weights


# wrong: scales by the root of shape[-2], the sequence length
# named: root_of_length
def seq_axis(x, w_query, w_key, w_value):
    q, k, v = (x @ w.mT for w in (w_query, w_key, w_value))
    w = (q @ k.transpose(-1, -2) / q.shape[-2] ** 0.5).softmax(-1)
    return w @ v, w


# wrong: softmax along axis 1, which is the queries' when there is a batch
# named: dimension_one
def softmax_dim1(x, w_query, w_key, w_value):
    q, k, v = (F.linear(x, w) for w in (w_query, w_key, w_value))
    w = F.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=1)
    return w @ v, w


# wrong: no softmax at all
# named: no_softmax
def softmax_forgotten(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return weights @ value, weights


# wrong: softmax over the queries
# named: softmax_over_queries
def softmax_over_the_queries(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-2)
    return weights @ value, weights


# wrong: the colleague's head as it was
# named: colleagues_head
def the_colleagues(x, w_query, w_key, w_value):
    query = key = value = x @ w_query.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(x.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


# wrong: key.T turns all axes of a batch around
def transpose_of_everything(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.T / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights


# wrong: the value is projected with w_key (value = key)
# named: value_from_key
def value_from_key(x, w_query, w_key, w_value):
    query = x @ w_query.T
    key = value = x @ w_key.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


# wrong: the key is mended, the value is still made with w_query
# named: value_from_query
def value_from_w_query(x, w_query, w_key, w_value):
    query, key = x @ w_query.T, x @ w_key.T
    value = x @ w_query.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights


# wrong: mixes x itself, the values are not projected
# named: value_is_x
def values_are_the_inputs(x, w_query, w_key, w_value):
    query, key = x @ w_query.T, x @ w_key.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ x, weights


# wrong: mixes the values with the transposed weights
# named: weights_transposed
def weights_transposed_for_the_output(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights.transpose(-2, -1) @ value, weights


# wrong: detaches the weights, so w_query and w_key never learn
# named: cut_off
def weights_without_gradient(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    weights = weights.detach()
    return weights @ value, weights


# wrong: a whole root
# named: whole_root
def integer_root(x, w_query, w_key, w_value):
    q, k, v = x @ w_query.mT, x @ w_key.mT, x @ w_value.mT
    weights = torch.softmax(q @ k.mT / math.isqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights
