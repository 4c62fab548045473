# wrong: a softmax inside the chunk
# named: softmax
import math

import torch


def sum_in_chunks(query, key, value, chunk_len):
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
