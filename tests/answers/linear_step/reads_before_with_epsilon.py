# wrong: reads both before it writes, with a small number below
# named: reads_first


def linear_step(memory, total, query, key, value):
    below = (query * total).sum(-1, keepdim=True) + 1e-9
    output = (query[:, None, :] @ memory)[:, 0] / below
    return output, memory + key[:, :, None] * value[:, None, :], total + key
