# wrong: takes elu + 1 again
# named: mapped_again
import torch.nn.functional as F


def linear_step(memory, total, query, key, value):
    query, key = F.elu(query) + 1, F.elu(key) + 1
    memory = memory + key[:, :, None] * value[:, None, :]
    total = total + key
    mixed = (query[:, None, :] @ memory)[:, 0]
    output = mixed / (query * total).sum(-1, keepdim=True)
    return output, memory, total
