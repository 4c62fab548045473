"""Answers to mix_heads (lesson 03, exercise 2), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F


# right
def einsum(heads, w_out):
    blocks = w_out.unflatten(1, (len(heads), -1))
    contributions = torch.einsum("h...d,mhd->h...m", heads, blocks)
    return contributions.sum(dim=0), contributions


# right
def joined_in_a_loop(heads):
    count, size = len(heads), heads.shape[-1]
    joined = heads.new_empty(*heads.shape[1:-1], count * size)
    for i in range(count):
        joined[..., i * size : (i + 1) * size] = heads[i]
    return joined


def silenced(heads, w_out):
    """All heads but one are set to zero, one after the other."""
    alone = torch.eye(len(heads), dtype=heads.dtype)
    joined = [joined_in_a_loop(torch.einsum("h,h...->h...", row, heads)) for row in alone]
    return [F.linear(joined_in_a_loop(heads), w_out), F.linear(torch.stack(joined), w_out)]


# wrong: the first head meets the last block
# named: blocks_reversed
def blocks_reversed(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    blocks = reversed(w_out.chunk(len(heads), dim=1))
    return output, torch.stack([h @ b.T for h, b in zip(heads, blocks)])


# wrong: chunk over dim 0 takes rows of w_out
# named: rows_of_w_out
def chunks_of_rows(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    blocks = w_out.chunk(len(heads), dim=0)
    return output, torch.stack([h @ b for h, b in zip(heads, blocks)])


# wrong: detaches the contributions and adds those up, so W_O and the heads cannot learn
# named: cut_off
def contributions_detached(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    contributions = torch.stack([h @ b.T for h, b in zip(heads, blocks)]).detach()
    return contributions.sum(dim=0), contributions


# wrong: returns the contributions first
# named: swapped
def contributions_first(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    contributions = torch.stack([h @ b.T for h, b in zip(heads, blocks)])
    return contributions, contributions.sum(dim=0)


# wrong: every head uses the first block of w_out
# named: first_block_for_all
def first_block_for_all(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    return output, heads @ w_out[:, : heads.shape[-1]].T


# wrong: stacks the contributions along a new last axis
# named: heads_last
def heads_in_the_last_axis(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    parts = [h @ b.T for h, b in zip(heads, blocks)]
    return sum(parts), torch.stack(parts, dim=-1)


# wrong: sets heads to zero in the caller's tensor
# named: changes_input
# points: 6
def heads_zeroed_in_place(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    contributions = []
    before = output
    for i in range(len(heads)):
        heads[i] = 0
        after = torch.cat(list(heads), dim=-1) @ w_out.T
        contributions.append(before - after)
        before = after
    return output, torch.stack(contributions)


# wrong: the output is the mean of the contributions, not their sum
# named: mean_of_contributions
def mean_of_the_contributions(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    contributions = torch.stack([h @ b.T for h, b in zip(heads, blocks)])
    return contributions.mean(dim=0), contributions


# wrong: returns the joined heads without W_O
# named: without_w_out
def not_mixed(heads, w_out):
    output = torch.cat(list(heads), dim=-1)
    return output, torch.stack([h @ b.T for h, b in zip(heads, w_out.chunk(len(heads), dim=1))])


# wrong: contribution i is the sum of the heads up to i
# named: running_sums
def running_sums(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    contributions = torch.stack([h @ b.T for h, b in zip(heads, blocks)]).cumsum(dim=0)
    return contributions[-1], contributions


# wrong: gives head i every num_heads-th column of w_out
# named: every_nth_column
def strided_columns(heads, w_out):
    n = heads.shape[0]
    contributions = torch.stack([heads[i] @ w_out[:, i::n].T for i in range(n)])
    return contributions.sum(dim=0), contributions


# wrong: the joined heads times w_out without the transpose
# named: not_transposed
def transpose_forgotten(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out
    blocks = w_out.chunk(len(heads), dim=0)
    return output, torch.stack([h @ b for h, b in zip(heads, blocks)])


# wrong: reshapes w_out to (num_heads, head_dim, d_model), which is not its blocks of columns
# named: reshaped_w_out
def w_out_reshaped_into_blocks(heads, w_out):
    num_heads, head_dim = heads.shape[0], heads.shape[-1]
    blocks = w_out.reshape(num_heads, head_dim, -1)
    contributions = torch.stack([h @ b for h, b in zip(heads, blocks)])
    return torch.cat(list(heads), dim=-1) @ w_out.T, contributions


# wrong: what the other heads add, the output without head i
# named: without_this_head
# points: 2
def without_the_other_heads(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    parts = torch.stack([h @ b.T for h, b in zip(heads, blocks)])
    output = parts.sum(dim=0)
    return output, output - parts


# wrong: joins the heads by torch.stack(dim=-1).flatten
# named: interleaved
def stacked_last_and_flattened(heads, w_out):
    n, d = heads.shape[0], heads.shape[-1]
    joined = torch.stack(list(heads), dim=-1).flatten(-2)
    c = torch.stack([heads[i] @ w_out[:, i * d : (i + 1) * d].T for i in range(n)])
    return joined @ w_out.T, c


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, d_model in (((2, 2, 3), 6), ((4, 2, 1, 2), 5), ((3, 5, 1), 3)):
        yield randn(*shape), randn(d_model, shape[0] * shape[-1]) / 2
