# wrong: beta on what the memory says alone
# named: beta_on_what_was_said


def delta_step(memory, query, key, value, beta, decay):
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = value - beta[:, None] * said
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory
