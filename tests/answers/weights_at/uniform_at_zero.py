# wrong: mixes up the two limits and spreads the weight evenly at 0
# named: even_at_zero

import torch


def weights_at(scores, temperature):
    if temperature == 0:
        return torch.full_like(scores, 1 / scores.shape[-1])
    return torch.softmax(scores / temperature, dim=-1)
