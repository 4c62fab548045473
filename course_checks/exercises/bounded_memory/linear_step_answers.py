"""Answers to linear_step (lesson 14, exercise 3), right and wrong, as students write them."""

import torch
import torch.nn.functional as F


# wrong: the total counts tokens
# named: counts_tokens
def counts_tokens(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + 1
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total


# wrong: writes the divided value
def divided_in_the_memory(memory, total, query, key, value):
    total = total + key
    below = (query * total).sum(-1)[:, None, None]
    memory = memory + key[:, :, None] * value[:, None, :] / below
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed
    return output, memory, total


# wrong: takes elu + 1 again
# named: mapped_again
def features_again(memory, total, query, key, value):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total


# wrong: writes in place
# named: changes_input
def in_place(memory, total, query, key, value):
    memory += key[:, :, None] * value[:, None, :]
    total += key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total


# wrong: no division
# named: not_divided
def not_divided(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed
    return output, memory, total


# wrong: divides by the total as it was
# named: old_total
def old_total(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total + key


# wrong: one sum for all heads
# named: over_all_heads
def one_sum_over_heads(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum()
    return output, memory, total


# wrong: the output alone
def output_alone(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output


# wrong: divides by the newest weight
# named: divided_by_own_weight
def own_weight(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * key).sum(-1, keepdim=True)
    return output, memory, total


# wrong: key.T @ value, over the heads
def product_over_heads(memory, total, query, key, value):
    memory = memory + key.T @ value
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total


# wrong: query and key exchanged in the memory
# named: query_and_key_exchanged
def query_and_key(memory, total, query, key, value):
    memory = memory + query[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (key[:, None, :] @ memory)[:, 0]
    output = mixed / (key * total).sum(-1, keepdim=True)
    return output, memory, total


# wrong: reads both before it writes
# named: reads_first
def reads_before(memory, total, query, key, value):
    output = (query[:, None, :] @ memory)[:, 0] / (query * total).sum(-1, keepdim=True)
    return output, memory + key[:, :, None] * value[:, None, :], total + key


# wrong: reads both before it writes, with a small number below
# named: reads_first
def reads_before_with_epsilon(memory, total, query, key, value):
    below = (query * total).sum(-1, keepdim=True) + 1e-9
    output = (query[:, None, :] @ memory)[:, 0] / below
    return output, memory + key[:, :, None] * value[:, None, :], total + key


# right
def right_baddbmm(memory, total, query, key, value):
    memory = torch.baddbmm(memory, key.unsqueeze(2), value.unsqueeze(1))
    total = torch.add(total, key)
    mixed = torch.einsum("hk,hkv->hv", query, memory)
    return mixed / torch.einsum("hk,hk->h", query, total)[:, None], memory, total


# right
def right_column_of_ones(memory, total, query, key, value):
    values = torch.cat((value, torch.ones_like(value[:, :1])), -1)
    both = torch.cat((memory, total[:, :, None]), -1) + key[:, :, None] * values[:, None, :]
    read = (query[:, None, :] @ both)[:, 0]
    return read[:, :-1] / read[:, -1:], both[..., :-1], both[..., -1]


# right
def right_own_share_apart(memory, total, query, key, value):
    own = (query * key).sum(-1, keepdim=True)
    mixed = (query[:, :, None] * memory).sum(1) + own * value
    output = mixed / ((query * total).sum(-1, keepdim=True) + own)
    return output, memory + torch.einsum("hi,hj->hij", key, value), total + key


# wrong: a softmax of what is read
def softmax(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed.softmax(-1)
    return output, memory, total


# wrong: the state comes first
def state_first(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return memory, total, output


# wrong: divides by the sum of the total
# named: divided_by_total
def sum_of_total(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / total.sum(-1, keepdim=True)
    return output, memory, total


# wrong: sums the queries
# named: queries_summed
def total_of_queries(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + query
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total


# wrong: value by key
# named: transposed
def value_times_key(memory, total, query, key, value):
    memory = memory + value[:, :, None] * key[:, None, :]
    total = total + key
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
