# wrong: row 0 of all heads first, then row 1 of all heads
# named: interleaved
import torch


def heads_to_matrix(heads):
    weight = torch.stack([head.weight for head in heads], dim=1).flatten(0, 1)
    return weight, torch.stack([head.bias for head in heads], dim=1).flatten()
