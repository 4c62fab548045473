# wrong: writes in place
# named: changes_input


def linear_step(memory, total, query, key, value):
    memory += key[:, :, None] * value[:, None, :]
    total += key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total
