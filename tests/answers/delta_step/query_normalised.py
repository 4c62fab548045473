# wrong: the query is made as long as 1
# named: divided
import torch.nn.functional as F


def delta_step(memory, query, key, value, beta, decay):
    query = F.normalize(query, dim=-1)
    faded = decay[:, None, None] * memory
    said = (key[:, None, :] @ faded)[:, 0]
    missing = beta[:, None] * (value - said)
    memory = faded + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory
