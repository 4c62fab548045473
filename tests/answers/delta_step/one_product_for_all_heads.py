# wrong: query @ memory, for all heads at once


def delta_step(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return query @ memory, memory
