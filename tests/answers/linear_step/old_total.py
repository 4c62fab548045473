# wrong: divides by the total as it was
# named: old_total


def linear_step(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total + key
