"""Answers to heads_to_matrix (lesson 04, exercise 4), right and wrong, as students write them."""

import torch
from torch import nn
from torch.nn import functional as F


# wrong: returns an nn.Linear, not its weight and bias
# named: a_layer
def a_layer(heads):
    weight = torch.cat([h.weight for h in heads])
    layer = nn.Linear(weight.shape[1], weight.shape[0])
    layer.weight.data = weight
    layer.bias.data = torch.cat([h.bias for h in heads])
    return layer


# wrong: concatenates along the inputs
# named: side_by_side
def along_the_inputs(heads):
    weight = torch.cat([head.weight for head in heads], dim=1)
    return weight, torch.cat([head.bias for head in heads])


# wrong: averages the heads
# named: averaged
def averaged(heads):
    weight = sum(head.weight for head in heads) / len(heads)
    return weight, sum(head.bias for head in heads) / len(heads)


# wrong: returns the bias first
# named: swapped
def bias_and_weight_swapped(heads):
    weight = torch.cat([head.weight for head in heads])
    return torch.cat([head.bias for head in heads]), weight


# wrong: repeats the first head's bias for all heads
# named: bias_of_first
def bias_from_first(heads):
    weight = torch.cat([h.weight for h in heads])
    return weight, heads[0].bias.repeat(len(heads))


# wrong: the weight is right, the bias is dealt out in turn
# named: bias_interleaved
def bias_interleaved(heads):
    weight = torch.cat([head.weight for head in heads])
    return weight, torch.stack([head.bias for head in heads], dim=1).flatten()


# wrong: leaves the bias as one row for each head
# named: bias_stacked
def bias_not_flat(heads):
    weight = torch.cat([head.weight for head in heads])
    return weight, torch.stack([head.bias for head in heads])


# wrong: the biases are laid in the reversed order of the heads
def bias_reversed(heads):
    w, b = [], []
    for h in heads:
        w.append(h.weight)
        b.insert(0, h.bias)
    return torch.cat(w, 0), torch.cat(b, 0)


# wrong: adds the biases up and repeats the sum
# named: biases_added
def bias_summed(heads):
    weight = torch.cat([head.weight for head in heads])
    return weight, sum(head.bias for head in heads).repeat(len(heads))


# wrong: adds the biases up instead of placing them side by side
# named: biases_added
def bias_summed_2(heads):
    return torch.cat([h.weight for h in heads], dim=0), sum(h.bias for h in heads)


# wrong: forgets the biases of the heads
# named: bias_forgotten
def bias_zero(heads):
    weight = torch.cat([head.weight for head in heads])
    return weight, torch.zeros(weight.shape[0])


# wrong: turns each weight round and then joins the rows
# named: each_transposed
def each_transposed(heads):
    weight = torch.cat([head.weight.T for head in heads], dim=0)
    return weight, torch.cat([head.bias for head in heads])


# wrong: turns each weight round, joins and reshapes until the shape is right
# named: reshaped_transposed
def each_transposed_reshaped(heads):
    weight = torch.cat([head.weight.T for head in heads], dim=1)
    weight = weight.reshape(weight.shape[1], weight.shape[0])
    return weight, torch.cat([head.bias for head in heads])


# wrong: makes a new nn.Linear of the right shape and keeps its random numbers
# named: new_numbers
def fresh_linear(heads):
    total = sum(head.out_features for head in heads)
    big = nn.Linear(heads[0].in_features, total)
    return big.weight, big.bias


# wrong: the weight and bias of the first head only
# named: first_head_only
def head_0_only(heads):
    return heads[0].weight, heads[0].bias


# wrong: row 0 of all heads first, then row 1 of all heads
# named: interleaved
def interleaved(heads):
    weight = torch.stack([head.weight for head in heads], dim=1).flatten(0, 1)
    return weight, torch.stack([head.bias for head in heads], dim=1).flatten()


# wrong: an end that is one too early drops the last row of every head
# named: last_rows_lost
def last_row_of_each_lost(heads):
    head_dim = heads[0].out_features
    weight = torch.cat([head.weight[: head_dim - 1] for head in heads])
    return weight, torch.cat([head.bias[: head_dim - 1] for head in heads])


# wrong: returns the weight input first, as papers and Keras write it
# named: transposed
def papers_layout(heads):
    return torch.cat([h.weight.T for h in heads], dim=1), torch.cat([h.bias for h in heads])


# right
def probe(heads):
    d = heads[0].in_features
    eye = torch.eye(d, dtype=heads[0].weight.dtype)
    zero = torch.zeros(d, dtype=eye.dtype)
    bias = torch.hstack([h(zero) for h in heads])
    weight = torch.vstack([F.linear(eye, h.weight).mT for h in heads])
    return weight, bias


# wrong: returns the layer, not the pair
# named: a_layer
def returns_a_linear(heads):
    weight = torch.cat([head.weight for head in heads])
    layer = nn.Linear(weight.shape[1], weight.shape[0])
    layer.weight = nn.Parameter(weight)
    layer.bias = nn.Parameter(torch.cat([head.bias for head in heads]))
    return layer


# wrong: the last head comes first
# named: order_reversed
def reversed_heads(heads):
    parts = list(heads)[::-1]
    return torch.cat([p.weight for p in parts]), torch.cat([p.bias for p in parts])


# right
def right_asks_the_heads(heads):
    """The output for zeros is the bias; the outputs for unit vectors give the columns."""
    with torch.no_grad():
        d_model, dtype = heads[0].in_features, heads[0].weight.dtype
        bias = torch.cat([head(torch.zeros(d_model, dtype=dtype)) for head in heads])
        columns = torch.cat([head(torch.eye(d_model, dtype=dtype)) for head in heads], dim=-1)
        return (columns - bias).T, bias


# right
def right_copied_into_a_linear(heads):
    d_model = heads[0].in_features
    head_dim = heads[0].out_features
    big = nn.Linear(d_model, head_dim * len(heads), dtype=heads[0].weight.dtype)
    with torch.no_grad():
        for i, head in enumerate(heads):
            big.weight[i * head_dim : (i + 1) * head_dim] = head.weight
            big.bias[i * head_dim : (i + 1) * head_dim] = head.bias
    return big.weight, big.bias


# right
def right_detached_copy(heads):
    weight = torch.cat([head.weight.detach() for head in heads])
    return weight, torch.cat([head.bias.detach() for head in heads])


# right
def right_flattened_stack(heads):
    weight = torch.stack([head.weight for head in heads]).flatten(0, 1)
    bias = torch.stack([head.bias for head in heads]).flatten()
    return weight, bias


# right
def right_row_by_row(heads):
    rows, numbers = [], []
    for head in heads:
        for row, number in zip(head.weight, head.bias):
            rows.append(row)
            numbers.append(number)
    return torch.stack(rows), torch.stack(numbers)


# right
def right_transposed_twice(heads):
    columns = torch.cat([head.weight.T for head in heads], dim=1)
    return columns.T, torch.hstack([head.bias for head in heads])


# wrong: stacks along a new axis
# named: stacked
def stacked(heads):
    weight = torch.stack([head.weight for head in heads])
    return weight, torch.stack([head.bias for head in heads])


# wrong: three heads, as in the example
# named: three_heads
def three_heads_always(heads):
    weight = torch.cat((heads[0].weight, heads[1].weight, heads[2].weight))
    return weight, torch.cat((heads[0].bias, heads[1].bias, heads[2].bias))


# wrong: returns the weight input first
# named: transposed
def transposed(heads):
    weight = torch.cat([head.weight for head in heads]).T
    return weight, torch.cat([head.bias for head in heads])


# right
def vstack(heads):
    weight, bias = zip(*[head.parameters() for head in heads])
    return torch.vstack(weight).detach().clone(), torch.hstack(bias).detach().clone()


# wrong: returns the weight alone
# named: weight_alone
def weight_alone(heads):
    return torch.cat([head.weight for head in heads])


# wrong: prepends each weight, appends each bias
# named: weights_reversed
def weights_reversed_only(heads):
    weight, bias = heads[0].weight, heads[0].bias
    for head in heads[1:]:
        weight = torch.cat((head.weight, weight))
        bias = torch.cat((bias, head.bias))
    return weight, bias
