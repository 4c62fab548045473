"""Answers to sum_in_chunks (lesson 14, exercise 5), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F


# wrong: the rows are divided by their sum
def divided(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).tril()
        table = table / table.sum(-1, keepdim=True)
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# wrong: the memory first
# named: exchanged
def exchanged(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).tril()
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return memory, torch.cat(outputs)


# wrong: zeros without a dtype
def float32_zeros(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1])
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).tril()
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# wrong: the outputs of the last chunk alone
def last_output_alone(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).tril()
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs = [output]
    return torch.cat(outputs), memory


# wrong: the memory is written before it is read
# named: counted_twice
def memory_first(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).tril()
        memory = memory + k.T @ v
        output = q @ memory + table @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# wrong: the memory is not read
# named: chunks_alone
def memory_not_read(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).tril()
        output = table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# wrong: only the last chunk is kept
# named: one_chunk_back
def memory_replaced(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).tril()
        output = q @ memory + table @ v
        memory = k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# wrong: the memory is transposed
def memory_transposed(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).tril()
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory.T


# wrong: no mask inside the chunk
# named: future_in_the_chunk
def no_mask(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = q @ k.T
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# wrong: chunk_len is taken for the number of chunks, and nothing is masked
def number_of_chunks(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for q, k, v in zip(query.chunk(chunk_len), key.chunk(chunk_len), value.chunk(chunk_len)):
        table = q @ k.T
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# wrong: the output alone
def output_alone(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).tril()
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs)


# wrong: a last chunk that is shorter is left out
def rest_dropped(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query) - chunk_len + 1, chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).tril()
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# right
def right_own_memory_in_place(query, key, value, chunk_len):
    memory, outputs = key.new_zeros(key.shape[1], value.shape[1]), []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        outputs.append(q @ memory + (q @ k.T).tril() @ v)
        memory += k.T @ v
    return torch.cat(outputs), memory


# right
def right_padded(query, key, value, chunk_len):
    pad = -len(query) % chunk_len
    q, k, v = (
        F.pad(t, (0, 0, 0, pad)).reshape(-1, chunk_len, t.shape[1]) for t in (query, key, value)
    )
    own = k.mT @ v
    after = own.cumsum(0)
    output = (q @ k.mT).tril() @ v + q @ (after - own)
    return output.reshape(-1, value.shape[1])[: len(query)], after[-1]


# right
def right_split(query, key, value, chunk_len):
    memory, outputs = key.new_zeros(key.shape[1], value.shape[1]), []
    for q, k, v in zip(query.split(chunk_len), key.split(chunk_len), value.split(chunk_len)):
        outputs.append(q @ memory + (q @ k.T).tril() @ v)
        memory = torch.addmm(memory, k.T, v)
    return torch.cat(outputs), memory


# right
def right_token_by_token_inside(query, key, value, chunk_len):
    output = torch.empty_like(value)
    memory = key.new_zeros(key.shape[1], value.shape[1])
    for start in range(0, len(query), chunk_len):
        end = min(start + chunk_len, len(query))
        for i in range(start, end):
            own = sum((query[i] @ key[j]) * value[j] for j in range(start, i + 1))
            output[i] = query[i] @ memory + own
        memory = memory + key[start:end].T @ value[start:end]
    return output, memory


# wrong: a softmax inside the chunk
# named: softmax
def softmax(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        later = torch.ones(len(q), len(q)).triu(1).bool()
        table = (q @ k.T).masked_fill(later, -math.inf).softmax(-1)
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# wrong: chunks begin at 0, 1, 2
def starts_too_near(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(math.ceil(len(query) / chunk_len)):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).tril()
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# wrong: a token does not see itself
# named: itself_not_seen
def strict(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).tril(-1)
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# wrong: triu for tril
# named: triangle_turned
def upper(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = (q @ k.T).triu()
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# wrong: last short chunk dropped from the memory
# named: last_chunk_not_written
def short_chunk_not_written_too(query, key, value, chunk_len):
    m, o = query.new_zeros(key.shape[1], value.shape[1]), []
    for q, k, v in zip(query.split(chunk_len), key.split(chunk_len), value.split(chunk_len)):
        o.append(q @ m + (q @ k.T).tril() @ v)
        if len(k) == chunk_len:
            m = m + k.T @ v
    return torch.cat(o), m


# wrong: the table of all tokens by all tokens
# named: whole_table
def whole_table_and_tril(query, key, value, chunk_len):
    return (query @ key.T).tril() @ value, key.T @ value


# wrong: step by step, without chunks
# named: step_by_step
def one_token_at_a_time(query, key, value, chunk_len):
    memory, out = key.new_zeros(key.shape[1], value.shape[1]), []
    for q, k, v in zip(query, key, value):
        memory = memory + torch.outer(k, v)
        out.append(q @ memory)
    return torch.stack(out), memory


# wrong: all memories at once, without chunks
# named: step_by_step
def memory_for_each_token(query, key, value, chunk_len):
    m = (key[:, :, None] * value[:, None]).cumsum(0)
    return (query[:, None] @ m)[:, 0], m[-1]
