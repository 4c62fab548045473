# wrong: forgets the biases of the heads
# named: bias_forgotten
import torch


def heads_to_matrix(heads):
    weight = torch.cat([head.weight for head in heads])
    return weight, torch.zeros(weight.shape[0])
