# wrong: divides by the square of the temperature

import torch


def weights_at(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores / temperature**2, dim=-1)
