"""Answers to linear_step (lesson 14, exercise 3), right and wrong, as students write them."""

import functools

import torch

from course_lib.attention.linear import linear_attention_step


# right
def einsum(memory, total, query, key, value):
    new_memory = memory + torch.einsum("hi,hj->hij", key, value)
    new_total = total + key
    weights = torch.einsum("hi,hi->h", query, new_total)
    return torch.einsum("hi,hij->hj", query, new_memory) / weights[:, None], new_memory, new_total


# right
def joined(memory, total, query, key, value):
    """The total is one more column of the memory, of values that are 1."""
    both = torch.cat([memory, total[:, :, None]], dim=-1)
    more = torch.cat([value, torch.ones_like(value[:, :1])], dim=-1)
    both = torch.baddbmm(both, key[:, :, None], more[:, None])
    out = torch.bmm(query[:, None], both)[:, 0]
    return out[:, :-1] / out[:, -1:], both[..., :-1].clone(), both[..., -1].clone()


# right
def loop(memory, total, query, key, value):
    memory, total, outputs = memory.clone(), total.clone(), []
    for h in range(len(key)):
        memory[h] += torch.outer(key[h], value[h])
        total[h] += key[h]
        outputs.append(query[h] @ memory[h] / query[h].dot(total[h]))
    return torch.stack(outputs), memory, total


# wrong: writes in place
# named: changes_input
# points: 4
def in_place(memory, total, query, key, value):
    memory += key[:, :, None] * value[:, None, :]
    total += key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total


# wrong: the divisor is clamped at 1
# named: clamped
def divided_by_one_at_least(memory, total, query, key, value):
    memory = memory + key.unsqueeze(-1) * value.unsqueeze(-2)
    total = total + key
    norm = (query * total).sum(dim=-1, keepdim=True).clamp(min=1.0)
    return (query.unsqueeze(-2) @ memory).squeeze(-2) / norm, memory, total


# wrong: calls the library
# named: forbidden
def step_by_the_library(memory, total, query, key, value):
    output, state = linear_attention_step((memory, total), query, key, value)
    return output, *state


# wrong: returns the output alone
# says: 3 things
def step_output_alone(memory, total, query, key, value):
    memory, total = memory + key[..., None] * value[:, None], total + key
    return (query[:, None] @ memory)[:, 0] / (query * total).sum(-1, keepdim=True)


# wrong: divides by the newest weight
# named: divided_by_own_weight
# points: 2
def own_weight(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * key).sum(-1, keepdim=True)
    return output, memory, total


# wrong: reads along the other axis
# named: read_transposed
def memory_times_query(memory, total, query, key, value):
    memory = memory + torch.einsum("hi,hj->hij", key, value)
    total = total + key
    return (
        torch.matmul(memory, query[:, :, None])[:, :, 0] / (query * total).sum(-1, True),
        memory,
        total,
    )


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for heads, key_dim, value_dim, past in ((2, 3, 2, 4), (1, 4, 4, 0), (3, 2, 5, 1)):
        keys = randn(heads, past, key_dim).exp()
        memory = keys.transpose(1, 2) @ randn(heads, past, value_dim)
        new = (randn(heads, key_dim).exp() for _ in range(2))
        yield memory, keys.sum(dim=1), *new, randn(heads, value_dim)
