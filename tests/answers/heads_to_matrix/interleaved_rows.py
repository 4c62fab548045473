# wrong: sorts the rows by feature, so that the heads take turns
# named: interleaved
import torch


def heads_to_matrix(heads):
    weight = torch.stack([h.weight for h in heads], dim=1).flatten(0, 1)
    bias = torch.stack([h.bias for h in heads], dim=1).flatten()
    return weight, bias
