# wrong: repeats the bias of head 0
# named: bias_of_first
import torch


def heads_to_matrix(heads):
    weight = torch.cat([head.weight for head in heads])
    return weight, heads[0].bias.repeat(len(heads))
