"""Answers to mean_key_heads (lesson 13, exercise 4), right and wrong, as students write them."""

import functools

import torch


# right
def loop(weight, num_heads, num_groups):
    head_dim, share = len(weight) // num_heads, num_heads // num_groups
    heads = weight.split(head_dim)
    groups = [sum(heads[g * share : (g + 1) * share]) / share for g in range(num_groups)]
    return torch.cat(groups)


# right
def view(weight, num_heads, num_groups):
    head_dim = weight.shape[0] // num_heads
    grouped = weight.reshape(num_groups, num_heads // num_groups, head_dim, weight.shape[1])
    return grouped.sum(1).div(num_heads // num_groups).reshape(-1, weight.shape[1])


# right
def by_matrix(weight, num_heads, num_groups):
    """A matrix of means times the heads."""
    share = num_heads // num_groups
    mean = torch.eye(num_groups, dtype=weight.dtype).repeat_interleave(share, dim=1) / share
    return torch.einsum("gh,hrd->grd", mean, weight.view(num_heads, -1, weight.shape[1])).flatten(
        0, 1
    )


# wrong: the columns are averaged
def columns(weight, num_heads, num_groups):
    share = num_heads // num_groups
    return weight.reshape(len(weight), -1, share).mean(dim=-1)


# wrong: groups take heads in turns
# named: in_turns
# points: 2
def every_other(weight, num_heads, num_groups):
    head_dim = len(weight) // num_heads
    heads = weight.reshape(num_heads, head_dim, -1)
    return torch.cat([heads[g::num_groups].mean(dim=0) for g in range(num_groups)])


# wrong: the mean of all heads, repeated
# named: all_heads
def mean_of_all(weight, num_heads, num_groups):
    head_dim = len(weight) // num_heads
    mean = weight.reshape(num_heads, head_dim, -1).mean(dim=0)
    return mean.repeat(num_groups, 1)


# wrong: the sum of a group
# named: summed
def summed(weight, num_heads, num_groups):
    heads = weight.reshape(num_groups, num_heads // num_groups, len(weight) // num_heads, -1)
    return heads.sum(dim=1).reshape(-1, weight.shape[1])


# wrong: writes the means into the weight
# named: changes_input
# points: 4
def in_place(weight, num_heads, num_groups):
    heads = weight.view(num_groups, num_heads // num_groups, -1, weight.shape[1])
    heads[:, 0] = heads.mean(dim=1)
    return heads[:, 0].flatten(0, 1)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for heads, groups, size, d_model in (
        (8, 4, 2, 3),
        (9, 3, 3, 7),
        (4, 1, 5, 4),
        (6, 3, 1, 6),
    ):
        yield randn(heads * size, d_model), heads, groups
