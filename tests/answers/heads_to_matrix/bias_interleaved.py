# wrong: the weight is right, the bias is dealt out in turn
# named: bias_interleaved
import torch


def heads_to_matrix(heads):
    weight = torch.cat([head.weight for head in heads])
    return weight, torch.stack([head.bias for head in heads], dim=1).flatten()
