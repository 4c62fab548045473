# wrong: old and new in shares, whatever the key
# named: all_of_it_fades_by_beta


def delta_step(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    b = beta[:, None, None]
    memory = (1 - b) * faded + b * key[:, :, None] * value[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory
