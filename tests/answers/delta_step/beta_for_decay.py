# wrong: beta and decay exchanged


def delta_step(memory, query, key, value, beta, decay):
    faded = beta[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = decay[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory
