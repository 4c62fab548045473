"""Answers to neighbours_to_halves (lesson 16, exercise 4), right and wrong, as students write them."""

import numpy as np
import torch

from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.attention.positions import RotaryEmbedding
from course_lib.model.conversion import change_pairing


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


# wrong: sorts columns
# named: columns
def columns(weight, num_heads):
    return torch.cat([weight[:, ::2], weight[:, 1::2]], dim=1)


# wrong: sorts columns head by head
# named: columns
def columns_in_heads(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.shape[1])
    return torch.cat([heads[..., ::2], heads[..., 1::2]], dim=-1).view(weight.shape)


# wrong: the odd rows are lost
# named: evens_only
def evens(weight, num_heads):
    return weight.view(num_heads, -1, weight.shape[1])[:, ::2].flatten(0, 1)


# wrong: the even rows stand in both halves
# named: evens_twice
def evens_in_both(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.shape[1])
    return torch.cat([heads[:, 0::2], heads[:, 0::2]], dim=1).flatten(0, 1)


# right
def filled(weight, num_heads):
    head_dim = weight.shape[0] // num_heads
    answer = torch.empty_like(weight)
    for h in range(num_heads):
        for i in range(head_dim // 2):
            answer[h * head_dim + i] = weight[h * head_dim + 2 * i]
            answer[h * head_dim + i + head_dim // 2] = weight[h * head_dim + 2 * i + 1]
    return answer


# wrong: rows in reverse
# named: reversed
def from_the_back(weight, num_heads):
    return weight.flip(0)


# wrong: heads of 64 rows, whatever the numbers are
# named: sixty_four_rows
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
def in_place(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.shape[1])
    heads[:] = torch.cat([heads[:, ::2], heads[:, 1::2]], dim=1)
    return weight


# right
def index_select(weight, num_heads):
    starts = torch.arange(num_heads).unsqueeze(1) * (weight.size(0) // num_heads)
    within = torch.arange(weight.size(0) // num_heads).reshape(-1, 2).t().reshape(1, -1)
    return weight.index_select(0, (starts + within).reshape(-1))


# wrong: calls the course's own conversion
# named: forbidden
def library_call(weight, num_heads):
    rows = weight.shape[0]
    rotary = RotaryEmbedding(rows // num_heads, pairing="interleaved")
    attention = MultiHeadAttention(rows, num_heads, rotary=rotary)
    attention.q_proj.weight.data = weight
    return change_pairing(attention, "halves").q_proj.weight


# wrong: over the whole matrix
# named: whole_matrix
def no_heads(weight, num_heads):
    return torch.cat([weight[::2], weight[1::2]], dim=0)


# wrong: over the whole matrix, and the other direction
# named: other_direction_whole_matrix
def no_heads_other_way(weight, num_heads):
    return weight.view(2, -1, weight.shape[1]).transpose(0, 1).reshape(weight.shape)


# wrong: odd rows first
# named: odd_first
def odd_first(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.shape[1])
    return torch.cat([heads[:, 1::2], heads[:, ::2]], dim=1).reshape(weight.shape)


# wrong: sorts the first head only
# named: first_head_only
def only_one_head(weight, num_heads):
    n = len(weight) // num_heads
    head = weight[:n]
    return torch.cat([head[::2], head[1::2], weight[n:]])


# wrong: from halves to neighbours
# named: other_direction
def other_way(weight, num_heads):
    halves = weight.reshape(num_heads, 2, -1, weight.shape[1])
    return halves.transpose(1, 2).reshape(weight.shape)


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


# wrong: writes to the places that it should read from: the other direction
# named: other_direction
def scattered(weight, num_heads):
    head_dim = len(weight) // num_heads
    answer = torch.zeros_like(weight)
    order = [*range(0, head_dim, 2), *range(1, head_dim, 2)]
    for h in range(num_heads):
        for i, j in enumerate(order):
            answer[h * head_dim + j] = weight[h * head_dim + i]
    return answer


# right
def slices(weight, num_heads):
    out = []
    for head in weight.chunk(num_heads):
        out += [head[0::2], head[1::2]]
    return torch.cat(out)


# right
def sorted_rows(weight, num_heads):
    head_dim = len(weight) // num_heads
    order = sorted(range(len(weight)), key=lambda row: (row // head_dim, row % 2, row))
    return weight[order]


# wrong: stacks the halves, which lets them take turns: the other direction
# named: other_direction
def stacked(weight, num_heads):
    out = []
    for head in weight.chunk(num_heads):
        first, second = head.chunk(2)
        out.append(torch.stack([first, second], dim=1).flatten(0, 1))
    return torch.cat(out)


# wrong: exchanges the halves of each head
# named: halves_exchanged
def swapped_halves(weight, num_heads):
    out = []
    for head in weight.chunk(num_heads):
        first, second = head.chunk(2)
        out += [second, first]
    return torch.cat(out)


# wrong: exchanges the two rows of each pair
# named: pairs_exchanged
def swapped_neighbours(weight, num_heads):
    return weight.view(-1, 2, weight.shape[1]).flip(1).reshape(weight.shape)


# wrong: the heads keep a dimension of their own
# named: heads_apart
def three_dimensions(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.shape[1])
    return torch.cat([heads[:, ::2], heads[:, 1::2]], dim=1)


# wrong: the answer is transposed
# named: transposed
def turned(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.shape[1])
    return torch.cat([heads[:, ::2], heads[:, 1::2]], dim=1).flatten(0, 1).T


# wrong: brings the two in front of the heads, so that the even rows of all heads come first
# named: whole_matrix
def two_behind_heads(weight, num_heads):
    pairs = weight.reshape(num_heads, -1, 2, weight.shape[1])
    return pairs.permute(2, 0, 1, 3).reshape(weight.shape)


# right
def unbind(weight, num_heads):
    first, second = weight.unflatten(0, (num_heads, -1, 2)).unbind(dim=2)
    return torch.cat([first, second], dim=1).flatten(0, 1)


# right
def view_and_transpose(weight, num_heads):
    rows, d_model = weight.shape
    pairs = weight.view(num_heads, rows // num_heads // 2, 2, d_model)
    return pairs.permute(0, 2, 1, 3).reshape(rows, d_model)


# wrong: second half negated as in a rotation
# named: second_half_negated
def second_half_negated_too(weight, num_heads):
    return torch.cat([torch.cat((h[::2], -h[1::2])) for h in weight.chunk(num_heads)])
