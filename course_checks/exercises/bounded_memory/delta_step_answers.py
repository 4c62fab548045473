"""Answers to delta_step (lesson 14, exercise 4), right and wrong, as students write them."""

import functools

import torch

from course_lib.attention.delta_rule import delta_rule_step


# right
def einsum(memory, query, key, value, beta, decay):
    faded = torch.einsum("h,hij->hij", decay, memory)
    missing = value - torch.einsum("hi,hij->hj", key, faded)
    new = faded + torch.einsum("h,hi,hj->hij", beta, key, missing)
    return torch.einsum("hi,hij->hj", query, new), new


# right
def projected(memory, query, key, value, beta, decay):
    """As the papers write it: (I - beta k k^T) S, and the value added."""
    b, a = beta[:, None, None], decay[:, None, None]
    eye = torch.eye(key.shape[1], dtype=key.dtype)
    column = key.unsqueeze(-1)
    new = a * ((eye - b * column @ column.mT) @ memory) + b * column @ value.unsqueeze(1)
    return (query.unsqueeze(1) @ new).squeeze(1), new


# right
def by_mixed(memory, query, key, value, beta, decay):
    """What was said and the value are mixed first, and the old is taken away."""
    memory = torch.mul(memory, decay.view(-1, 1, 1))
    said = torch.matmul(key.unsqueeze(1), memory)  # (heads, 1, value_dim)
    wanted = torch.lerp(said, value.unsqueeze(1), beta.view(-1, 1, 1))
    memory = memory + key.unsqueeze(2) * (wanted - said)
    return torch.matmul(query.unsqueeze(1), memory).squeeze(1), memory


# wrong: beta and decay exchanged
# named: exchanged
# points: 2
def beta_for_decay(memory, query, key, value, beta, decay):
    faded = beta[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = decay[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: the output is divided
def divided(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    output = (query[:, None, :] @ memory)[:, 0] / (query * key).sum(-1, keepdim=True)
    return output, memory


# wrong: writes in place
# named: changes_input
# points: 4
def in_place(memory, query, key, value, beta, decay):
    memory *= decay[:, None, None]
    faded = memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory += key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: calls the library
# named: forbidden
def delta_by_the_library(memory, query, key, value, beta, decay):
    return delta_rule_step(memory, query, key, value, beta, decay)


# wrong: leaves out all new dimensions
def delta_without_shapes(memory, query, key, value, beta, decay):
    memory = decay * memory
    said = key @ memory
    memory = memory + key * beta * (value - said)
    return query @ memory, memory


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for heads, key_dim, value_dim in ((2, 3, 2), (1, 4, 4), (3, 2, 5)):
        key = torch.nn.functional.normalize(randn(heads, key_dim), dim=-1)
        memory, query = randn(heads, key_dim, value_dim), randn(heads, key_dim)
        rates = (randn(heads).sigmoid() for _ in range(2))
        yield memory, query, key, randn(heads, value_dim), *rates
