# wrong: sums the queries
# named: queries_summed


def linear_step(memory, total, query, key, value):
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + query
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total
