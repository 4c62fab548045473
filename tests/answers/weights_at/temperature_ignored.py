# wrong: never divides by the temperature, only treats 0 apart
# named: ignored

import torch


def weights_at(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores, dim=-1)
