# wrong: stack on axis 1 then flatten interleaves the rows of the heads
# named: interleaved
import torch


def heads_to_matrix(heads):
    w = torch.stack([h.weight for h in heads], dim=1).flatten(0, 1)
    b = torch.stack([h.bias for h in heads], dim=1).flatten()
    return w, b
