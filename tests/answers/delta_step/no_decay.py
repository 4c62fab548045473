# wrong: no decay
# named: decay_left_out


def delta_step(memory, query, key, value, beta, decay):
    faded = memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory
