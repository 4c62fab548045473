# wrong: at 0 returns True and False
# named: ties_not_shared | dtype

import torch


def weights_at(scores, temperature):
    if temperature == 0:
        return scores == scores.max(dim=-1, keepdim=True).values
    return torch.softmax(scores / temperature, dim=-1)
