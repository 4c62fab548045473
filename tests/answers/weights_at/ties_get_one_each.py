# wrong: at 0 every largest score gets weight 1, so a tied row adds up to 2
# named: ties_not_shared

import torch


def weights_at(scores, temperature):
    if temperature == 0:
        return (scores == scores.max(dim=-1, keepdim=True).values).to(scores.dtype)
    return torch.softmax(scores / temperature, dim=-1)
