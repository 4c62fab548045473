"""Answers to sink_attend (lesson 14, exercise 2), right and wrong, as students write them."""

import math

import torch


# wrong: the sink is added to every score
# named: sink_ignored
def added_to_scores(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = (scores + sink[:, None, None]).softmax(-1)
    return weights @ value, weights


# wrong: the sink as a key vector
# named: sink_as_a_key
def as_a_key(query, key, value, sink):
    more = sink[:, None, None].expand(-1, 1, key.shape[-1])
    keys = torch.cat((key, more), 1)
    scores = query @ keys.mT / math.sqrt(query.shape[-1])
    weights = scores.softmax(-1)[..., :-1]
    return weights @ value, weights


# wrong: a gate that does not look at the scores
# named: gate
def constant_gate(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.softmax(-1) * torch.sigmoid(-sink)[:, None, None]
    return weights @ value, weights


# wrong: weights first
# named: exchanged
def exchanged(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return weights, weights @ value


# wrong: drops the first column
# named: wrong_column_cut
def first_column_dropped(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., 1:]
    return weights @ value, weights


# wrong: always float32
# named: dtype
def float32(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return (weights @ value).float(), weights.float()


# wrong: exp without a maximum
# named: overflows
def no_maximum(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    e = scores.exp()
    weights = e / (e.sum(-1, keepdim=True) + sink.exp()[:, None, None])
    return weights @ value, weights


# wrong: no square root of head_dim
# named: not_scaled
def no_scale(query, key, value, sink):
    scores = query @ key.mT
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return weights @ value, weights


# wrong: the weights are made to sum to 1 again
# named: sink_ignored
def normalised_again(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    weights = weights / weights.sum(-1, keepdim=True)
    return weights @ value, weights


# wrong: the sink is not expanded to the queries
def not_expanded(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None]
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return weights @ value, weights


# wrong: the output alone
def output_alone(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return weights @ value


# wrong: softmax over the queries
def over_queries(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-2)[..., :-1]
    return weights @ value, weights


# right
def right_gate(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    gate = torch.sigmoid(scores.logsumexp(-1, keepdim=True) - sink[:, None, None])
    weights = scores.softmax(-1) * gate
    return weights @ value, weights


# right
def right_head_by_head(query, key, value, sink):
    outputs, tables = [], []
    for h in range(len(query)):
        scores = query[h] @ key[h].T / query.shape[-1] ** 0.5
        m = torch.maximum(scores.max(-1, keepdim=True).values, sink[h])
        e = (scores - m).exp()
        tables.append(e / (e.sum(-1, keepdim=True) + (sink[h] - m).exp()))
        outputs.append(tables[-1] @ value[h])
    return torch.stack(outputs), torch.stack(tables)


# right
def right_logaddexp(query, key, value, sink):
    scores = torch.einsum("hqd,hkd->hqk", query, key) / query.shape[-1] ** 0.5
    total = torch.logaddexp(scores.logsumexp(-1, keepdim=True), sink[:, None, None])
    weights = torch.exp(scores - total)
    return torch.einsum("hqk,hkd->hqd", weights, value), weights


# right
def right_value_of_zeros(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((more, scores), -1).softmax(-1)
    values = torch.cat((torch.zeros_like(value[:, :1]), value), 1)
    return weights @ values, weights[..., 1:]


# wrong: the square root of the number of keys
def root_of_key_len(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(key.shape[1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return weights @ value, weights


# wrong: the sink is added below without exp
# named: not_an_exponential
def sink_itself_added(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    e = scores.exp()
    weights = e / (e.sum(-1, keepdim=True) + sink[:, None, None])
    return weights @ value, weights


# wrong: the weights of the sink come back too
# named: its_column_too
def sink_kept(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    all_weights = torch.cat((scores, more), -1).softmax(-1)
    weights = all_weights[..., :-1]
    return weights @ value, all_weights


# wrong: the sink is divided by the square root too
# named: scaled_too
def sink_scaled(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = (sink / math.sqrt(query.shape[-1]))[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return weights @ value, weights


# wrong: each head gets the sinks of all heads
# named: sinks_of_all_heads
def sinks_of_all_heads(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[None, None, :].expand(*scores.shape[:2], len(sink))
    weights = torch.cat((scores, more), -1).softmax(-1)[..., : scores.shape[-1]]
    return weights @ value, weights


# wrong: a score of 0 in place of the sink
# named: off_by_one
def zero_for_the_sink(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = torch.zeros_like(scores[..., :1])
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return weights @ value, weights


# wrong: scale by the value's width
# named: scaled_by_the_values
def scaled_by_the_values_too(query, key, value, sink):
    s = torch.cat(
        (
            query @ key.mT / value.shape[-1] ** 0.5,
            sink[:, None, None].expand(-1, query.shape[1], 1),
        ),
        -1,
    )
    w = s.softmax(-1)[..., :-1]
    return w @ value, w


# wrong: sink number itself added in the divisor instead of its exponential
# named: not_an_exponential
def not_an_exponential_too(query, key, value, sink):
    s = query @ key.mT / query.shape[-1] ** 0.5
    m = s.amax(-1, keepdim=True)
    e = (s - m).exp()
    w = e / (e.sum(-1, keepdim=True) + sink[:, None, None])
    return w @ value, w


# wrong: the output is cut to the query's width
# named: cut_to_the_query
def cut_to_the_query_too(query, key, value, sink):
    s = torch.cat(
        (
            query @ key.mT / query.shape[-1] ** 0.5,
            sink[:, None, None].expand(-1, query.shape[1], 1),
        ),
        -1,
    )
    w = s.softmax(-1)[..., :-1]
    return (w @ value)[..., : query.shape[-1]], w


# wrong: no gradient for the sink
# named: cut_off
def sink_is_detached(query, key, value, sink):
    s = query @ key.mT / query.shape[-1] ** 0.5
    more = sink.detach().view(-1, 1, 1).expand(s.shape[0], s.shape[1], 1)
    p = torch.cat([s, more], dim=-1).softmax(dim=-1)[..., :-1]
    return p @ value, p
