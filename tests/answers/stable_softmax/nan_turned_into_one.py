# wrong: replaces the NaN of the overflow by 1, the weight of the largest
# named: nan_to_num

import torch


def stable_softmax(scores):
    e = torch.exp(scores)
    return torch.nan_to_num(e / e.sum(dim=-1, keepdim=True), nan=1.0)
