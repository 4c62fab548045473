"""Answers to mean_key_heads (lesson 13, exercise 4), right and wrong, as students write them."""

import torch


# wrong: each mean stands there for every head
# named: repeated
def as_large_as_before(weight, num_heads, num_groups):
    heads = weight.unflatten(0, (num_groups, num_heads // num_groups, -1))
    return heads.mean(1, keepdim=True).expand_as(heads).flatten(0, 2)


# wrong: the columns are averaged
def columns(weight, num_heads, num_groups):
    share = num_heads // num_groups
    return weight.reshape(len(weight), -1, share).mean(dim=-1)


# wrong: groups take heads in turns
# named: in_turns
def every_other(weight, num_heads, num_groups):
    head_dim = len(weight) // num_heads
    heads = weight.reshape(num_heads, head_dim, -1)
    return torch.cat([heads[g::num_groups].mean(dim=0) for g in range(num_groups)])


# wrong: the first heads only
# named: not_averaged
def first_heads(weight, num_heads, num_groups):
    head_dim = len(weight) // num_heads
    return weight[: num_groups * head_dim]


# wrong: one head stands for its group
# named: first_head
def first_of_each_group(weight, num_heads, num_groups):
    heads = weight.unflatten(0, (num_groups, num_heads // num_groups, -1))
    return heads[:, 0].flatten(0, 1)


# wrong: the two sizes are exchanged
# named: groups_for_heads
def groups_and_shares(weight, num_heads, num_groups):
    share = num_heads // num_groups
    return weight.unflatten(0, (share, num_groups, -1)).mean(dim=1).flatten(0, 1)


# wrong: the mean of all heads, repeated
# named: all_heads
def mean_of_all(weight, num_heads, num_groups):
    head_dim = len(weight) // num_heads
    mean = weight.reshape(num_heads, head_dim, -1).mean(dim=0)
    return mean.repeat(num_groups, 1)


# wrong: the median of a group
# named: median
def median(weight, num_heads, num_groups):
    heads = weight.unflatten(0, (num_groups, num_heads // num_groups, -1))
    return heads.median(dim=1).values.flatten(0, 1)


# right
def right_chunks(weight, num_heads, num_groups):
    heads = weight.chunk(num_heads)
    share = num_heads // num_groups
    means = [torch.stack(heads[i : i + share]).mean(dim=0) for i in range(0, num_heads, share)]
    return torch.vstack(means)


# right
def right_index_add(weight, num_heads, num_groups):
    head_dim, share = len(weight) // num_heads, num_heads // num_groups
    row = torch.arange(len(weight))
    target = row // head_dim // share * head_dim + row % head_dim
    mean = weight.new_zeros(num_groups * head_dim, weight.shape[1])
    return mean.index_add(0, target, weight / share)


# right
def right_pool(weight, num_heads, num_groups):
    # Each column is a picture: average over the heads of a group, row by row.
    head_dim, share = len(weight) // num_heads, num_heads // num_groups
    rows = weight.T.reshape(1, -1, num_heads, head_dim)
    pooled = torch.nn.functional.avg_pool2d(rows, (share, 1))
    return pooled.reshape(weight.shape[1], -1).T


# wrong: rows that lie next to each other are averaged
# named: neighbouring_rows
def rows_of_a_head(weight, num_heads, num_groups):
    share = num_heads // num_groups
    return weight.reshape(-1, share, weight.shape[1]).mean(dim=1)


# wrong: the sum of a group
# named: summed
def summed(weight, num_heads, num_groups):
    heads = weight.reshape(num_groups, num_heads // num_groups, len(weight) // num_heads, -1)
    return heads.sum(dim=1).reshape(-1, weight.shape[1])


# wrong: the heads are not joined
def three_dimensions(weight, num_heads, num_groups):
    return weight.unflatten(0, (num_groups, num_heads // num_groups, -1)).mean(dim=1)


# wrong: a group becomes one row
# named: one_row
def one_row_a_group(weight, num_heads, num_groups):
    d_model = weight.shape[1]
    return weight.reshape(num_groups, -1, d_model).mean(dim=1)


# wrong: head_dim is d_model // num_heads
# named: head_dim_of_d_model
def d_model_over_heads(weight, num_heads, num_groups):
    d_model = weight.shape[1]
    head_dim = d_model // num_heads
    heads = weight.reshape(-1, num_heads // num_groups, head_dim, d_model)
    return heads.mean(dim=1).reshape(-1, d_model)
