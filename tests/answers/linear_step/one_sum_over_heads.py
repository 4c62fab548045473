# wrong: one sum for all heads
# named: over_all_heads


def linear_step(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum()
    return output, memory, total
