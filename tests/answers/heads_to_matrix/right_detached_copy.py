# right
import torch


def heads_to_matrix(heads):
    weight = torch.cat([head.weight.detach() for head in heads])
    return weight, torch.cat([head.bias.detach() for head in heads])
