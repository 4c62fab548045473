# wrong: no division
# named: not_divided


def linear_step(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed
    return output, memory, total
