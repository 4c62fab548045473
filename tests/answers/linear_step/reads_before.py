# wrong: reads both before it writes
# named: reads_first


def linear_step(memory, total, query, key, value):
    output = (query[:, None, :] @ memory)[:, 0] / (query * total).sum(-1, keepdim=True)
    return output, memory + key[:, :, None] * value[:, None, :], total + key
