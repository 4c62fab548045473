# wrong: divides the caller's scores in place
# named: changes_input

import torch


def weights_at(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    scores /= temperature
    return torch.softmax(scores, dim=-1)
