"""Answers to mix_heads (lesson 03, exercise 2), right and wrong, as students write them."""

import torch
import torch.nn.functional as F
from torch import nn


# wrong: each contribution is output / num_heads, not the head's own part
# named: equal_shares
def average(heads, w_out):
    output = torch.cat(tuple(heads), -1) @ w_out.mT
    contributions = (output / len(heads)).expand(len(heads), *output.shape)
    return output, contributions


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


# wrong: the contributions are detached, so that no gradient passes
def detached_contributions(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    contributions = torch.stack([torch.tensor((h @ b.T).tolist()) for h, b in zip(heads, blocks)])
    return output, contributions.to(output.dtype)


# wrong: the contributions are detached, so gradients do not pass through them
def detached_parts(heads, w_out):
    blocks = w_out.split(heads.shape[-1], dim=1)
    parts = torch.stack([h @ b.T for h, b in zip(heads, blocks)])
    return parts.sum(0), parts.detach()


# right
def einsum(heads, w_out):
    table = w_out.reshape(w_out.shape[0], heads.shape[0], heads.shape[-1])
    c = torch.einsum("h...d,mhd->h...m", heads, table)
    return sum(c.unbind(0)), c


# wrong: gives every head the same share of the output
# named: equal_shares
def equal_parts(heads, w_out):
    n = len(heads)
    output = F.linear(torch.cat(heads.unbind(0), dim=-1), w_out)
    return output, torch.stack([output / n] * n)


# wrong: divides the output by the number of heads and calls that the contributions
# named: equal_shares
def equal_shares(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    return output, torch.stack([output / len(heads) for _ in heads])


# wrong: takes the columns of w_out with a stride of num_heads
# named: every_nth_column
def every_second_column(heads, w_out):
    n = len(heads)
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    return output, torch.stack([heads[i] @ w_out[:, i::n].T for i in range(n)])


# wrong: every head uses the first block of w_out
# named: first_block_for_all
def first_block_for_all(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    return output, heads @ w_out[:, : heads.shape[-1]].T


# wrong: the contributions are those of the first sentence for all
# named: first_sentence
def first_sentence_only(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    contributions = torch.stack([h @ b.T for h, b in zip(heads, blocks)])
    output = contributions.sum(dim=0)
    if heads.dim() > 3:
        contributions = contributions[:, :1].expand_as(contributions)
    return output, contributions


# wrong: adds the heads and multiplies by the first block
# named: first_block_for_all
def heads_added_up(heads, w_out):
    blocks = torch.stack(w_out.chunk(len(heads), dim=1))
    contributions = heads @ blocks[0].T
    return contributions.sum(dim=0), contributions


# wrong: stacks the contributions along a new last axis
# named: heads_last
def heads_in_the_last_axis(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    parts = [h @ b.T for h, b in zip(heads, blocks)]
    return sum(parts), torch.stack(parts, dim=-1)


# wrong: sets heads to zero in the caller's tensor
# named: changes_input
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


# wrong: joins the heads by a reshape that scrambles tokens and heads
# named: joined_by_reshape
def joined_by_reshape(heads, w_out):
    joined = heads.reshape(*heads.shape[1:-1], -1)
    blocks = w_out.chunk(len(heads), dim=1)
    return joined @ w_out.T, torch.stack([h @ b.T for h, b in zip(heads, blocks)])


# wrong: contributions hold the head in its place of the joined vector, before W_O
# named: before_w_out
def joined_contributions(heads, w_out):
    joined = torch.cat(list(heads), dim=-1)
    contributions = []
    for i in range(len(heads)):
        only = torch.zeros_like(heads)
        only[i] = heads[i]
        contributions.append(torch.cat(list(only), dim=-1))
    return joined @ w_out.T, torch.stack(contributions)


# wrong: returns the contributions as a list, not a tensor
def list_of_tensors(heads, w_out):
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    blocks = w_out.chunk(len(heads), dim=1)
    return output, [h @ b.T for h, b in zip(heads, blocks)]


# wrong: the output is the mean of the contributions, not their sum
# named: mean_of_contributions
def mean_of_the_contributions(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    contributions = torch.stack([h @ b.T for h, b in zip(heads, blocks)])
    return contributions.mean(dim=0), contributions


# wrong: multiplies by w_out as it is stored, everywhere
# named: not_transposed
def no_transpose(heads, w_out):
    n, d = heads.shape[0], heads.shape[-1]
    contributions = torch.stack([heads[i] @ w_out[i * d : (i + 1) * d] for i in range(n)])
    return torch.cat(list(heads), dim=-1) @ w_out, contributions


# wrong: returns the joined heads without W_O
# named: without_w_out
def not_mixed(heads, w_out):
    output = torch.cat(list(heads), dim=-1)
    return output, torch.stack([h @ b.T for h, b in zip(heads, w_out.chunk(len(heads), dim=1))])


# right
def right_batched_product(heads, w_out):
    num_heads, head_dim = heads.shape[0], heads.shape[-1]
    blocks = w_out.T.reshape(num_heads, head_dim, -1)
    flat = heads.reshape(num_heads, -1, head_dim)
    contributions = torch.bmm(flat, blocks).reshape(*heads.shape[:-1], -1)
    return contributions.sum(0), contributions


# right
def right_einsum(heads, w_out):
    blocks = w_out.unflatten(1, (heads.shape[0], heads.shape[-1]))  # (d_model, heads, head_dim)
    contributions = torch.einsum("h...tc,mhc->h...tm", heads, blocks)
    return contributions.sum(dim=0), contributions


# right
def right_leave_one_out(heads, w_out):
    def mix(these):
        return F.linear(torch.cat(list(these), dim=-1), w_out)

    output, contributions = mix(heads), []
    for i in range(len(heads)):
        without = heads.clone()
        without[i] = 0
        contributions.append(output - mix(without))
    return output, torch.stack(contributions)


# right
def right_masked_joined(heads, w_out):
    n, d = heads.shape[0], heads.shape[-1]
    joined = heads.movedim(0, -2).flatten(-2)
    owner = torch.arange(n * d) // d
    parts = [F.linear(joined * (owner == i).to(joined.dtype), w_out) for i in range(n)]
    return joined @ w_out.t(), torch.stack(parts)


# wrong: cuts w_out into blocks of rows for the contributions (fits only when square)
# named: rows_of_w_out
def row_chunks(heads, w_out):
    joined = torch.cat(list(heads), dim=-1)
    output = joined @ w_out.T
    blocks = w_out.chunk(heads.shape[0], dim=0)
    return output, torch.stack([h @ b for h, b in zip(heads, blocks)])


# wrong: the reshape (head_dim, num_heads) of w_out.T gives head i every num_heads-th column of w_out, from column i on, instead of a block
# named: every_nth_column
def rows(heads, w_out):
    h, hd = heads.shape[0], heads.shape[-1]
    joined = torch.cat(list(heads), dim=-1)
    output = joined @ w_out.T
    blocks = w_out.T.reshape(hd, h, -1)
    return output, torch.stack([heads[i] @ blocks[:, i] for i in range(h)])


# wrong: cuts w_out into blocks of rows for the contributions
# named: rows_of_w_out
def rows_of_w_out(heads, w_out):
    num_heads, head_dim = heads.shape[0], heads.shape[-1]
    output = torch.cat(list(heads), dim=-1) @ w_out.T
    blocks = [w_out[i * head_dim : (i + 1) * head_dim] for i in range(num_heads)]
    if any(block.shape != (head_dim, w_out.shape[0]) for block in blocks):
        blocks = [w_out[:, i * head_dim : (i + 1) * head_dim].T for i in range(num_heads)]
    return output, torch.stack([h @ block for h, block in zip(heads, blocks)])


# wrong: contribution i is the sum of the heads up to i
# named: running_sums
def running_sums(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    contributions = torch.stack([h @ b.T for h, b in zip(heads, blocks)]).cumsum(dim=0)
    return contributions[-1], contributions


# wrong: contributions are stacked at axis -2 (behind the tokens), not at the front
# named: heads_last
def stack_last(heads, w_out):
    blocks = w_out.chunk(heads.shape[0], dim=1)
    parts = torch.stack([h @ b.T for h, b in zip(heads, blocks)], dim=-2)
    return parts.sum(-2), parts


# wrong: stacks the contributions along a new last axis
# named: heads_last
def stacked_last(heads, w_out):
    blocks = torch.chunk(w_out, len(heads), dim=1)
    contributions = torch.stack([h @ b.mT for h, b in zip(heads, blocks)], dim=-1)
    return contributions.sum(-1), contributions


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
def without_the_other_heads(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=1)
    parts = torch.stack([h @ b.T for h, b in zip(heads, blocks)])
    output = parts.sum(dim=0)
    return output, output - parts


# right
def zero_others(heads, w_out):
    n = heads.shape[0]
    eye = torch.eye(n, dtype=heads.dtype, device=heads.device)
    alone = torch.einsum("ij,j...td->i...tjd", eye, heads).flatten(-2)
    contributions = nn.functional.linear(alone, w_out)
    return contributions.sum(0), contributions


# wrong: joins the heads by torch.stack(dim=-1).flatten
# named: interleaved
def stacked_last_and_flattened(heads, w_out):
    n, d = heads.shape[0], heads.shape[-1]
    joined = torch.stack(list(heads), dim=-1).flatten(-2)
    c = torch.stack([heads[i] @ w_out[:, i * d : (i + 1) * d].T for i in range(n)])
    return joined @ w_out.T, c
