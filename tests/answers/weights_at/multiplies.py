# wrong: multiplies by the temperature instead of dividing
# named: multiplied

import torch


def weights_at(scores, temperature):
    if temperature == 0:
        m = (scores == scores.amax(-1, keepdim=True)).to(scores)
        return m / m.sum(-1, keepdim=True)
    return torch.softmax(scores * temperature, dim=-1)
