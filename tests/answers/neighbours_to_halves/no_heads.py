# wrong: over the whole matrix
# named: whole_matrix
import torch


def neighbours_to_halves(weight, num_heads):
    return torch.cat([weight[::2], weight[1::2]], dim=0)
