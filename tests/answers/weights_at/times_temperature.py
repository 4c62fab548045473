# wrong: multiplies by the temperature instead of dividing
# named: multiplied
import torch


def weights_at(scores, temperature):
    if temperature == 0:
        top = scores == scores.amax(dim=-1, keepdim=True)
        return top.to(scores.dtype) / top.sum(dim=-1, keepdim=True)
    return torch.softmax(scores * temperature, dim=-1)
