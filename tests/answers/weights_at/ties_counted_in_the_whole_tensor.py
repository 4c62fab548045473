# wrong: at 0 divides by the number of winners of all rows together
# named: shared_over_table

import torch


def weights_at(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum()
    return torch.softmax(scores / temperature, dim=-1)
