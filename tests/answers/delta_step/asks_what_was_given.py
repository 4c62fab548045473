# wrong: asks the memory before it faded
# named: reads_the_unfaded


def delta_step(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ memory)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory
