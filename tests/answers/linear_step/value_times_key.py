# wrong: value by key
# named: transposed


def linear_step(memory, total, query, key, value):
    memory = memory + value[:, :, None] * key[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total
