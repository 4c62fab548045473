# wrong: prepends each weight, appends each bias
# named: weights_reversed
import torch


def heads_to_matrix(heads):
    weight, bias = heads[0].weight, heads[0].bias
    for head in heads[1:]:
        weight = torch.cat((head.weight, weight))
        bias = torch.cat((bias, head.bias))
    return weight, bias
