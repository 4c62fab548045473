"""Answers to heads_to_matrix (lesson 04, exercise 4), right and wrong, as students write them."""

import torch
from torch import nn


# right
def flattened(heads):
    parts = (torch.stack([getattr(h, name) for h in heads]) for name in ("weight", "bias"))
    return tuple(part.flatten(0, 1) for part in parts)


# right
def measured(heads):
    """The bias is what comes out for 0, a column of the weight what a unit input adds."""
    rows = torch.eye(heads[0].in_features, dtype=heads[0].weight.dtype)
    bias = torch.cat([head(0 * rows[0]) for head in heads])
    return (torch.cat([head(rows) for head in heads], dim=-1) - bias).T, bias


# wrong: returns an nn.Linear, not its weight and bias
# named: a_layer
def a_layer(heads):
    weight = torch.cat([h.weight for h in heads])
    layer = nn.Linear(weight.shape[1], weight.shape[0])
    layer.weight.data = weight
    layer.bias.data = torch.cat([h.bias for h in heads])
    return layer


# wrong: averages the heads
# named: averaged
def averaged(heads):
    weight = sum(head.weight for head in heads) / len(heads)
    return weight, sum(head.bias for head in heads) / len(heads)


# wrong: the biases are laid in the reversed order of the heads
def bias_reversed(heads):
    w, b = [], []
    for h in heads:
        w.append(h.weight)
        b.insert(0, h.bias)
    return torch.cat(w, 0), torch.cat(b, 0)


# wrong: makes a new nn.Linear of the right shape and keeps its random numbers
# named: new_numbers
def fresh_linear(heads):
    total = sum(head.out_features for head in heads)
    big = nn.Linear(heads[0].in_features, total)
    return big.weight, big.bias


# wrong: the last head comes first
# named: order_reversed
def reversed_heads(heads):
    parts = list(heads)[::-1]
    return torch.cat([p.weight for p in parts]), torch.cat([p.bias for p in parts])


# wrong: three heads, as in the example
# named: three_heads
def three_heads_always(heads):
    weight = torch.cat((heads[0].weight, heads[1].weight, heads[2].weight))
    return weight, torch.cat((heads[0].bias, heads[1].bias, heads[2].bias))


# wrong: prepends each weight, appends each bias
# named: weights_reversed
# points: 2
def weights_reversed_only(heads):
    weight, bias = heads[0].weight, heads[0].bias
    for head in heads[1:]:
        weight = torch.cat((head.weight, weight))
        bias = torch.cat((bias, head.bias))
    return weight, bias


# wrong: empties the heads behind itself
# named: changes_input
# points: 4
def moved_and_emptied(heads):
    weight = torch.cat([head.weight for head in heads]).clone()
    bias = torch.cat([head.bias for head in heads]).clone()
    for head in heads:
        head.weight.data.zero_()
    return weight, bias


# other inputs
def other_inputs(generator):
    for heads, head_dim, d_model in ((4, 1, 3), (2, 3, 6), (5, 2, 2)):
        linears = (torch.nn.Linear(d_model, head_dim) for _ in range(heads))
        yield (torch.nn.ModuleList(linears),)
