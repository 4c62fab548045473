# right
import torch


def sum_in_chunks(query, key, value, chunk_len):
    output = torch.empty_like(value)
    memory = key.new_zeros(key.shape[1], value.shape[1])
    for start in range(0, len(query), chunk_len):
        end = min(start + chunk_len, len(query))
        for i in range(start, end):
            own = sum((query[i] @ key[j]) * value[j] for j in range(start, i + 1))
            output[i] = query[i] @ memory + own
        memory = memory + key[start:end].T @ value[start:end]
    return output, memory
