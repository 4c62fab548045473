# wrong: divides by the sum of the total
# named: divided_by_total


def linear_step(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / total.sum(-1, keepdim=True)
    return output, memory, total
