# wrong: adds the biases up instead of placing them side by side
# named: biases_added
import torch


def heads_to_matrix(heads):
    return torch.cat([h.weight for h in heads], dim=0), sum(h.bias for h in heads)
