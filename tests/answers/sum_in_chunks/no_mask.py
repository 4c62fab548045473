# wrong: no mask inside the chunk
# named: future_in_the_chunk
import torch


def sum_in_chunks(query, key, value, chunk_len):
    memory = torch.zeros(key.shape[1], value.shape[1], dtype=value.dtype)
    outputs = []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        table = q @ k.T
        output = q @ memory + table @ v
        memory = memory + k.T @ v
        outputs.append(output)
    return torch.cat(outputs), memory
