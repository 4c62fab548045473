# wrong: returns no weight at all at temperature 0
# named: zeros_at_zero

import torch


def weights_at(scores, temperature):
    if temperature == 0:
        return torch.zeros_like(scores)
    return torch.softmax(scores / temperature, dim=-1)
