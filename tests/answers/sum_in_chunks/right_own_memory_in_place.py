# right
import torch


def sum_in_chunks(query, key, value, chunk_len):
    memory, outputs = key.new_zeros(key.shape[1], value.shape[1]), []
    for start in range(0, len(query), chunk_len):
        q, k, v = (t[start : start + chunk_len] for t in (query, key, value))
        outputs.append(q @ memory + (q @ k.T).tril() @ v)
        memory += k.T @ v
    return torch.cat(outputs), memory
