# wrong: reads the memory that it was given
# named: reads_first


def delta_step(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    new = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], new
