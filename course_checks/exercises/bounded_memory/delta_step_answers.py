"""Answers to delta_step (lesson 14, exercise 4), right and wrong, as students write them."""

import torch
import torch.nn.functional as F


# wrong: asks the memory before it faded
# named: reads_the_unfaded
def asks_what_was_given(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ memory)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: beta and decay exchanged
# named: exchanged
def beta_for_decay(memory, query, key, value, beta, decay):
    faded = beta[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = decay[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: beta on the value alone
# named: beta_on_the_value
def beta_on_the_value(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * value - said
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: beta on what the memory says alone
# named: beta_on_the_value
def beta_on_what_is_said(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = value - beta[:, None] * said
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: old and new in shares, whatever the key
# named: all_of_it_fades_by_beta
def blended(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    b = beta[:, None, None]
    memory = (1 - b) * faded + b * key[:, :, None] * value[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: the decay comes last
# named: decay_at_the_end
def decay_at_last(memory, query, key, value, beta, decay):
    faded = memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = decay[:, None, None] * (faded + key[:, :, None] * missing[:, None, :])
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: the output is divided
def divided(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    output = (query[:, None, :] @ memory)[:, 0] / (query * key).sum(-1, keepdim=True)
    return output, memory


# wrong: the memory first
def exchanged(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return memory, (query[:, None, :] @ memory)[:, 0]


# wrong: beta and decay of the first head for all
# named: one_head
def first_head_decides(memory, query, key, value, beta, decay):
    beta, decay = beta[:1].expand_as(beta), decay[:1].expand_as(decay)
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: writes in place
# named: changes_input
def in_place(memory, query, key, value, beta, decay):
    memory *= decay[:, None, None]
    faded = memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory += key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: the key reads
# named: read_with_the_key
def key_reads(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (key[:, None, :] @ memory)[:, 0], memory


# wrong: the memory alone
def memory_alone(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return memory


# wrong: no beta
# named: beta_left_out
def no_beta(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = value - said
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: no decay
# named: decay_left_out
def no_decay(memory, query, key, value, beta, decay):
    faded = memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: nothing is subtracted
# named: only_adds
def nothing_subtracted(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * value
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: query @ memory, for all heads at once
def one_product_for_all_heads(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return query @ memory, memory


# wrong: the query asks what is there
# named: asks_with_the_query
def query_asks(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (query[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: the query is made as long as 1
# named: divided
def query_normalised(memory, query, key, value, beta, decay):
    query = F.normalize(query, dim=-1)
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


# wrong: reads the faded memory
# named: reads_first
def reads_the_faded(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ faded)[:, 0], memory


# wrong: reads the memory that it was given
# named: reads_first
def reads_what_was_given(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    new = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], new


# right
def right_erase_and_write(memory, query, key, value, beta, decay):
    outputs, memories = [], []
    for h in range(len(query)):
        faded = memory[h] * decay[h]
        old = key[h] @ faded
        new = (1 - beta[h]) * old + beta[h] * value[h]
        memories.append(faded - torch.outer(key[h], old) + torch.outer(key[h], new))
        outputs.append(query[h] @ memories[-1])
    return torch.stack(outputs), torch.stack(memories)


# right
def right_own_share_apart(memory, query, key, value, beta, decay):
    faded = memory * decay[:, None, None]
    missing = (value - (key[:, None] @ faded)[:, 0]) * beta[:, None]
    output = (query[:, None] @ faded)[:, 0] + (query * key).sum(-1, keepdim=True) * missing
    return output, torch.baddbmm(faded, key[:, :, None], missing[:, None])


# right
def right_projection(memory, query, key, value, beta, decay):
    b = beta[:, None, None]
    project = torch.eye(key.shape[-1], dtype=memory.dtype) - b * key[:, :, None] * key[:, None, :]
    memory = project @ (decay[:, None, None] * memory) + b * key[:, :, None] * value[:, None, :]
    return torch.einsum("hk,hkv->hv", query, memory), memory


# wrong: the difference has the other sign
# named: sign_turned
def sign(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (said - value)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory
