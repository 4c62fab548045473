# wrong: the query asks what is there
# named: asks_with_the_query


def delta_step(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (query[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory
