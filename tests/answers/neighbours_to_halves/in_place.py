# wrong: sorts the rows of weight itself
# named: changes_input
import torch


def neighbours_to_halves(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.shape[1])
    heads[:] = torch.cat([heads[:, ::2], heads[:, 1::2]], dim=1)
    return weight
