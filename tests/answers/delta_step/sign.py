# wrong: the difference has the other sign
# named: sign_turned


def delta_step(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (said - value)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory
