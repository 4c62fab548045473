"""Answers to neighbours_to_halves (lesson 16, exercise 4), right and wrong, as students write them."""

import functools

import numpy as np
import torch


# right
def slices(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.size(1))
    return torch.cat((heads[:, ::2], heads[:, 1::2]), dim=1).flatten(0, 1)


# right
def indices(weight, num_heads):
    head_dim = len(weight) // num_heads
    rows = [
        head * head_dim + row
        for head in range(num_heads)
        for start in (0, 1)
        for row in range(start, head_dim, 2)
    ]
    return weight[rows]


# right
def by_matrix(weight, num_heads):
    """By a product with a matrix of zeros and ones."""
    head_dim = weight.shape[0] // num_heads
    order = torch.arange(head_dim).view(-1, 2).T.flatten()
    swap = torch.block_diag(*[torch.eye(head_dim, dtype=weight.dtype)[order]] * num_heads)
    return swap @ weight


# wrong: reshapes forth and back, and nothing changes its place
# named: unchanged
def as_it_was(weight, num_heads):
    heads = weight.reshape(num_heads, -1, 2, weight.shape[1])
    return heads.reshape(num_heads, 2, -1, weight.shape[1]).reshape(weight.shape)


# wrong: head_dim is d_model // num_heads
# named: head_dim_of_d_model
def by_d_model(weight, num_heads):
    n = weight.shape[1] // num_heads
    out = []
    for h in range(num_heads):
        head = weight[h * n : (h + 1) * n]
        out += [head[::2], head[1::2]]
    return torch.cat(out)


# wrong: head_dim is d_model // num_heads, in a view that other sizes do not fit
def by_d_model_view(weight, num_heads):
    d_model = weight.shape[1]
    pairs = weight.view(num_heads, d_model // num_heads // 2, 2, d_model)
    return pairs.transpose(1, 2).reshape(weight.shape)


# wrong: through NumPy, so that no gradient reaches weight
# named: cut_off
def by_numpy(weight, num_heads):
    heads = np.split(weight.detach().numpy(), num_heads)
    return torch.from_numpy(np.concatenate([np.concatenate((h[::2], h[1::2])) for h in heads]))


# wrong: heads of 64 rows, whatever the numbers are
# named: sixty_four_rows
# points: 2
def head_dim_64(weight, num_heads):
    return torch.cat([part for h in weight.split(64) for part in (h[::2], h[1::2])])


# wrong: the number of heads where head_dim should be
# named: sizes_exchanged
def heads_and_rows(weight, num_heads):
    out = []
    for i in range(0, len(weight), num_heads):
        head = weight[i : i + num_heads]
        out += [head[::2], head[1::2]]
    return torch.cat(out)


# wrong: the last head comes first
# named: heads_reversed
def heads_backwards(weight, num_heads):
    answer = weight[:0]
    for head in weight.chunk(num_heads):
        answer = torch.cat([head[::2], head[1::2], answer])
    return answer


# wrong: sorts the rows of weight itself
# named: changes_input
# points: 6
def in_place(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.shape[1])
    heads[:] = torch.cat([heads[:, ::2], heads[:, 1::2]], dim=1)
    return weight


# wrong: over the whole matrix
# named: whole_matrix
# points: 2
def no_heads(weight, num_heads):
    return torch.cat([weight[::2], weight[1::2]], dim=0)


# wrong: sorts the first head only
# named: first_head_only
def only_one_head(weight, num_heads):
    n = len(weight) // num_heads
    head = weight[:n]
    return torch.cat([head[::2], head[1::2], weight[n:]])


# wrong: the first half is overwritten before the odd rows are read
# named: overwritten
def overwritten(weight, num_heads):
    answer = weight.clone()
    for head in torch.chunk(answer, num_heads):
        half = len(head) // 2
        head[:half] = head[::2].clone()
        head[half:] = head[1::2].clone()
    return answer


# wrong: returns in the first round of the loop
# named: first_head_repeated
def return_in_the_loop(weight, num_heads):
    n = len(weight) // num_heads
    for h in range(num_heads):
        head = weight[h * n : (h + 1) * n]
        return torch.cat([head[::2], head[1::2]])


# wrong: splits the rows into (head_dim, num_heads)
# named: heads_in_turns
def rows_before_heads(weight, num_heads):
    heads = weight.view(-1, num_heads, weight.shape[1])
    return torch.cat([heads[::2], heads[1::2]]).view(weight.shape)


# wrong: exchanges the halves of each head
# named: halves_exchanged
def swapped_halves(weight, num_heads):
    out = []
    for head in weight.chunk(num_heads):
        first, second = head.chunk(2)
        out += [second, first]
    return torch.cat(out)


# wrong: the heads keep a dimension of their own
# named: heads_apart
def three_dimensions(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.shape[1])
    return torch.cat([heads[:, ::2], heads[:, 1::2]], dim=1)


# wrong: second half negated as in a rotation
# named: second_half_negated
def second_half_negated_too(weight, num_heads):
    return torch.cat([torch.cat((h[::2], -h[1::2])) for h in weight.chunk(num_heads)])


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for num_heads, head_dim, d_model in ((2, 12, 24), (3, 6, 7), (1, 10, 3), (5, 4, 60)):
        yield randn(num_heads * head_dim, d_model), num_heads
