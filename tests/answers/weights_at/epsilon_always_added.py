# wrong: always adds 1e-8 to the temperature instead of treating 0 apart
# named: tiny_temperature

import torch


def weights_at(scores, temperature):
    return torch.softmax(scores / (temperature + 1e-8), dim=-1)
