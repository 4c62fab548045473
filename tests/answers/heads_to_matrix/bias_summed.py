# wrong: adds the biases up and repeats the sum
# named: biases_added
import torch


def heads_to_matrix(heads):
    weight = torch.cat([head.weight for head in heads])
    return weight, sum(head.bias for head in heads).repeat(len(heads))
