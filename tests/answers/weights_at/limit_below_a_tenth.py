# wrong: already returns the limit for temperatures below 0.1
# named: threshold

import torch


def weights_at(scores, temperature):
    if temperature < 0.1:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores / temperature, dim=-1)
