# wrong: every temperature below 1 is treated as the limit

import torch


def weights_at(scores, temperature):
    if int(temperature) == 0:
        best = (scores == scores.max(-1, keepdim=True).values).to(scores.dtype)
        return best / best.sum(-1, keepdim=True)
    return torch.softmax(scores / temperature, -1)
