# wrong: query and key exchanged in the memory
# named: query_and_key_exchanged


def linear_step(memory, total, query, key, value):
    memory = memory + query[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (key[:, None, :] @ memory)[:, 0]
    output = mixed / (key * total).sum(-1, keepdim=True)
    return output, memory, total
