# wrong: key.T @ value, over the heads


def linear_step(memory, total, query, key, value):
    memory = memory + key.T @ value
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total
