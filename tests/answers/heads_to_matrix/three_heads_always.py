# wrong: three heads, as in the example
# named: three_heads
import torch


def heads_to_matrix(heads):
    weight = torch.cat((heads[0].weight, heads[1].weight, heads[2].weight))
    return weight, torch.cat((heads[0].bias, heads[1].bias, heads[2].bias))
