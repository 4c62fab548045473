# wrong: divides by the newest weight
# named: divided_by_own_weight


def linear_step(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * key).sum(-1, keepdim=True)
    return output, memory, total
