# wrong: writes in place
# named: changes_input


def delta_step(memory, query, key, value, beta, decay):
    memory *= decay[:, None, None]
    faded = memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory += key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory
