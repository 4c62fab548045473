# wrong: works along the first axis
# named: wrong_dimension

import torch


def weights_at(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=0, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=0, keepdim=True)
    return torch.softmax(scores / temperature, dim=0)
