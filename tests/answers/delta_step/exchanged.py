# wrong: the memory first


def delta_step(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return memory, (query[:, None, :] @ memory)[:, 0]
