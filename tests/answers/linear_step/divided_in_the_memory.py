# wrong: writes the divided value


def linear_step(memory, total, query, key, value):
    total = total + key
    below = (query * total).sum(-1)[:, None, None]
    memory = memory + key[:, :, None] * value[:, None, :] / below
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed
    return output, memory, total
