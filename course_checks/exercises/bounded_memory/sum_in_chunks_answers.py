"""Answers to sum_in_chunks (lesson 14, exercise 5), right and wrong, as students write them."""

import functools

import torch

import course_checks as checks
from course_lib.attention.linear import linear_attention_chunks


# right
def split(query, key, value, chunk_len):
    memory = torch.zeros(key.size(1), value.size(1), dtype=value.dtype)
    outputs = []
    for q, k, v in zip(*(t.split(chunk_len) for t in (query, key, value)), strict=True):
        scores = torch.tril(q @ k.mT)
        outputs += [torch.addmm(scores @ v, q, memory)]
        memory = torch.addmm(memory, k.mT, v)
    return torch.vstack(outputs), memory


# right
def written_first(query, key, value, chunk_len):
    """The chunk is written before it is read, and its future is taken away again."""
    memory, outputs = torch.zeros_like(key.T @ value), []
    for i in range(0, query.shape[0], chunk_len):
        q, k, v = query[i : i + chunk_len], key[i : i + chunk_len], value[i : i + chunk_len]
        memory = memory + k.T @ v
        outputs.append(q @ memory - torch.triu(q @ k.T, diagonal=1) @ v)
    return torch.cat(outputs), memory


# wrong: chunk_len is taken for the number of chunks, and nothing is masked
# points: 3
def number_of_chunks(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for q, k, v in zip(query.chunk(chunk_len), key.chunk(chunk_len), value.chunk(chunk_len)):
        table = q @ k.T
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory


# wrong: the table of all tokens by all tokens
# named: whole_table
# points: 5
def whole_table_and_tril(query, key, value, chunk_len):
    return (query @ key.T).tril() @ value, key.T @ value


# wrong: the memory is float32, whatever the inputs are
# points: 5
# says: dtype=x.dtype
def memory_in_float32(query, key, value, chunk_len):
    memory, out = torch.zeros(key.shape[1], value.shape[1]), []
    for i in range(0, len(query), chunk_len):
        q, k, v = (t[i : i + chunk_len] for t in (query, key, value))
        out.append(q @ memory + (q @ k.T).tril() @ v)
        memory = memory + k.T @ v
    return torch.cat(out), memory


# wrong: calls the library
# named: forbidden
def chunks_by_the_library(query, key, value, chunk_len):
    output, state = linear_attention_chunks(query, key, value, chunk_len=chunk_len)
    return output, state.memory


# wrong: leaves out a last chunk that is not full
def chunks_drop_the_rest(query, key, value, chunk_len):
    whole = [t[: len(query) // chunk_len * chunk_len] for t in (query, key, value)]
    return checks.sum_in_chunks.exercise.reference(*whole, chunk_len)


# wrong: returns the output alone
# says: 2 things
def chunks_output_alone(query, key, value, chunk_len):
    return checks.sum_in_chunks.exercise.reference(query, key, value, chunk_len)[0]


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for length, key_dim, value_dim, chunk_len in (
        (6, 3, 2, 2),
        (7, 2, 3, 3),
        (1, 2, 2, 4),
        (10, 4, 3, 4),
    ):
        query, key = (randn(length, key_dim).exp() for _ in range(2))
        yield query, key, randn(length, value_dim), chunk_len
        yield query.double(), key.double(), randn(length, value_dim).double(), chunk_len
