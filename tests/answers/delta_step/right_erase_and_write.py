# right
import torch


def delta_step(memory, query, key, value, beta, decay):
    outputs, memories = [], []
    for h in range(len(query)):
        faded = memory[h] * decay[h]
        old = key[h] @ faded
        new = (1 - beta[h]) * old + beta[h] * value[h]
        memories.append(faded - torch.outer(key[h], old) + torch.outer(key[h], new))
        outputs.append(query[h] @ memories[-1])
    return torch.stack(outputs), torch.stack(memories)
