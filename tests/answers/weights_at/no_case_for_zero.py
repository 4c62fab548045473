# wrong: divides by 0 at temperature 0
# named: nan_at_zero

import torch


def weights_at(scores, temperature):
    scaled = scores / temperature
    return torch.softmax(scaled, dim=-1)
